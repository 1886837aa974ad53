// One random kernel: a program, how its operands move and where they lie, against a wall at one of their ends. It must
// give what the interpreter gives, say whether an element had no value, and change nothing between its rows.
import { bitsOf, type DType, type Program, type Signature } from 'bcast/kernels'
import { all, instructionsOf } from '../../packages/bcast/src/backend/instructions.ts'
import { execute } from '../../packages/bcast/src/backend/interpreter/execute.ts'
import { writeWideParameters } from '../../packages/bcast/src/backend/webassembly/machine/parameters.ts'
import { compileKernel } from '../../packages/native/src/compile.ts'
import type { Level } from '../../packages/native/src/levels.ts'
import { lanesOf } from '../../packages/native/src/x86/body.ts'
import { Unsupported } from '../../packages/native/src/x86/vectors.ts'
import type { Random } from '../random.ts'
import { elementsAt, fill, isSame } from './elements.ts'
import { extentOf, makeLoops, REACH, type Stepping } from './loops.ts'
import { Programs } from './program.ts'
import { type Walls, walls } from './walls.ts'

const instructions = instructionsOf(...all)
const MOST_OPERANDS = 16
let own: Walls | undefined

export interface KernelCase {
  readonly program: Program
  readonly loops: Stepping
  readonly signature: Signature
  readonly level: Level
  readonly streams: boolean
  readonly lanes: number | undefined
  /** For each operand, whether its end or its begin lies at a wall. */
  readonly ends: readonly boolean[]
}

export function makeCase(random: Random, levels: readonly Level[]): KernelCase {
  const program = new Programs(random).make()
  const dtypes = [...program.inputs, program.code.at(-1)!.dtype]
  const widths = dtypes.map((dtype) => bitsOf(dtype) / 8)
  const loops = makeLoops(random, widths)
  const { sizes, strides } = loops
  const rowLoop = sizes.length - 2
  const streams = random.chance(0.5)
  const canBlock =
    rowLoop >= 0 && sizes[rowLoop]! % 4 === 0 && (!streams || (strides.at(-1)![rowLoop]! * widths.at(-1)!) % 64 === 0)
  const rows = canBlock && random.chance(0.7) ? 4 : 1
  const signature: Signature = {
    motions: program.inputs.map((_, i) => {
      const inner = strides[i]!.at(-1)!
      return inner === 0 ? 'splat' : inner === 1 ? 'unit' : 'strided'
    }),
    rows,
    still: program.inputs.map((_, i) => rows > 1 && strides[i]!.at(-2) === 0),
    lanes: 1,
  }
  const level = random.pick(levels)
  const fewer = level === 'neon' ? [] : [4, 8, 16, 32].filter((lanes) => lanes < lanesOf(program, level))
  const lanes = random.chance(0.3) && fewer.length > 0 ? random.pick(fewer) : undefined
  return { program, loops, signature, level, streams, lanes, ends: dtypes.map(() => random.chance(0.7)) }
}

export const describeCase = ({ program, loops, signature, level, streams, lanes, ends }: KernelCase): string =>
  [
    `${level}${streams ? ', streaming' : ''}, lanes ${lanes ?? 'as many as fit'}, rows ${signature.rows}, ${signature.motions.join()} over ${loops.sizes.join('x')}`,
    ...loops.strides.map((strides, i) => `[${strides.join()}] ${ends[i] ? 'before' : 'behind'} a wall`),
    ...program.code.map(({ op, dtype, args, value }, i) => `${i}: ${op} ${dtype} ${args.join()} ${value ?? ''}`),
  ].join('\n')

export type Outcome = 'computed' | 'a fault' | 'no code'

/** Compiles and runs it; throws where anything is wrong. */
export function runCase(random: Random, given: KernelCase): Outcome {
  const { program, loops, signature, level, streams, lanes, ends } = given
  own ??= walls(MOST_OPERANDS + 1, REACH)
  const { address, bytes, at, size, put } = own
  const dtypes: readonly DType[] = [...program.inputs, program.code.at(-1)!.dtype]
  const { sizes, strides } = loops
  const placed = dtypes.map((dtype, i) => {
    const width = bitsOf(dtype) / 8
    const { low, high } = extentOf(sizes, strides[i]!)
    const count = high - low + 1
    // Addresses are those of elements: a block's ends are multiples of every width.
    const begin = at(i + 1) + (ends[i] ? size - count * width : 0)
    const elements = elementsAt(dtype, bytes, begin, count)
    fill(random, dtype, elements)
    return { dtype, width, begin, low, elements }
  })
  const result = placed.at(-1)!
  const expected = result.elements.slice()
  const operands = placed.map(({ elements, low }, i) => ({
    storage: i === placed.length - 1 ? expected : elements,
    offset: -low,
    strides: strides[i]!,
  }))
  const position = execute(program, instructions, sizes, operands as never)
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at(0), 1024)
  writeWideParameters(
    words,
    sizes,
    placed.map(({ begin, low, width }, i) => ({
      address: Number(address) + begin - low * width,
      strides: strides[i]!,
      width,
    })),
    signature.rows,
  )
  const before = result.elements.slice()
  const base = address + BigInt(at(0))
  let code: Uint8Array
  try {
    code = compileKernel(program, signature, { level, base, streams, lanes })
  } catch (error) {
    if (error instanceof Unsupported) return 'no code'
    throw error
  }
  const fault = put(code)(0)
  if (fault !== (position >= 0 ? 1 : 0)) throw new Error(`the kernel gives ${fault}, the interpreter ${position}`)
  if (fault === 1) betweenIsKept(loops, result.low, before, result.elements)
  else expectSame(result.dtype, expected, result.elements)
  return fault === 1 ? 'a fault' : 'computed'
}

type Elements = ReturnType<typeof elementsAt>

function expectSame(dtype: DType, expected: Elements, got: Elements): void {
  const [a, b] = [expected, got].map((each) => new Uint8Array(each.buffer, each.byteOffset, each.byteLength))
  if (Buffer.compare(a!, b!) === 0) return
  for (let i = 0; i < got.length; i++) {
    if (!isSame(dtype, got[i]!, expected[i]!)) {
      throw new Error(`element ${i} of ${got.length} is ${got[i]} and should be ${expected[i]}`)
    }
  }
}

/** After a fault only what lies between the result's elements is known: it stays. */
function betweenIsKept({ sizes, strides }: Stepping, low: number, before: Elements, after: Elements): void {
  const written = new Uint8Array(after.length)
  const visit = (loop: number, at: number): void => {
    if (loop === sizes.length) written[at] = 1
    else for (let i = 0; i < sizes[loop]!; i++) visit(loop + 1, at + i * strides.at(-1)![loop]!)
  }
  visit(0, -low)
  for (let i = 0; i < after.length; i++) {
    if (written[i] === 0 && !Object.is(before[i], after[i]) && !Number.isNaN(before[i])) {
      throw new Error(`element ${i}, which lies between rows, was written`)
    }
  }
}
