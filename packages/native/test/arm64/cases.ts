// One kernel over operands that lie anywhere: as WebAssembly computes it here, and as a call for AArch64. Operands end or
// begin where memory does, so that a byte beyond ends the process.
import { type DType, isFloat, type Program, type Signature } from 'bcast/kernels'
import { specials, storageOf } from '../../../../testing/elements.ts'
import { all, codeOf, instructionsOf } from '../../../bcast/src/backend/instructions.ts'
import { wasm } from '../../../bcast/src/backend/platform.ts'
import { compileKernel as compileWebAssembly } from '../../../bcast/src/backend/webassembly/codegen/kernel.ts'
import { lanesOf } from '../../../bcast/src/plan/lanes.ts'
import { PARAMETERS } from '../../../bcast/src/plan/parameters.ts'
import { compileKernel } from '../../src/arm64/kernel.ts'
import { difference, isNaNAt, stream, widthOf } from './elements.ts'
import { type Answer, BASE, BLOCK, BLOCK_COUNT, blockAt, type Call } from './emulator.ts'

export interface Case {
  readonly title: string
  readonly program: Program
  readonly signature: Pick<Signature, 'motions' | 'rows' | 'still'>
  /** Blocks of rows, and elements of a row. */
  readonly blocks: number
  readonly columns: number
  /** Sizes of loops around those. */
  readonly outer: readonly number[]
  /** Elements between rows, and elements that a stride skips: below zero it goes back. */
  readonly gap: number
  readonly stride: number
  readonly streams: boolean
  /** Whether operands begin where memory does, or end there. */
  readonly atStart: boolean
  readonly seed: number
  /** Without NaN, whose bits another processor may have otherwise. */
  readonly ordered?: boolean
}

/** How an operand lies: steps in bytes, and the bytes from its first address to its least and behind its last. */
interface Lying {
  readonly dtype: DType
  readonly step: number
  readonly rowStep: number
  readonly outerSteps: readonly number[]
  readonly lead: number
  readonly length: number
}

function lyingOf({ signature, blocks, columns, outer, gap, stride }: Case, dtype: DType, i: number): Lying {
  const width = widthOf(dtype)
  const motion = signature.motions[i] ?? 'unit'
  const elements = { splat: 0, unit: 1, strided: stride }[motion]
  const rowElements = (columns - 1) * Math.abs(elements) + 1
  const rows = blocks * signature.rows
  // Where memory is one run of rows, an operand that is the same in every row of a block is so in all of them.
  const apart = signature.still[i] === true ? 0 : rowElements + gap
  const whole = (rows - 1) * apart + rowElements
  const outerSteps = outer.map((_, axis) => (whole + gap) * (axis === 0 ? 1 : outer[0]!))
  const reach = outer.reduce((sum, size, axis) => sum + (size - 1) * outerSteps[axis]!, 0)
  return {
    dtype,
    step: elements * width,
    rowStep: apart * width,
    outerSteps: outerSteps.map((step) => step * width),
    lead: elements < 0 ? (rowElements - 1) * width : 0,
    length: (whole + reach) * width,
  }
}

const specialBytes = new Map<DType, Uint8Array>()

/** Elements that find mistakes, and any bits. */
function elements(dtype: DType, length: number, next: () => number, ordered: boolean): Uint8Array {
  const width = widthOf(dtype)
  let special = specialBytes.get(dtype)
  if (special === undefined) {
    const { buffer } = storageOf(dtype, specials(dtype)) as Uint8Array
    special = Buffer.concat([new Uint8Array(buffer), leastNaN(dtype)])
    specialBytes.set(dtype, special)
  }
  const bytes = new Uint8Array(length)
  const count = special.length / width
  for (let at = 0; at < length; at += width) {
    const kind = next() % 4
    const from = (next() % count) * width
    const chosen = special.subarray(from, from + width)
    if (dtype === 'bool') bytes[at] = next() & 1
    else if (kind === 0 && !ordered) for (let k = 0; k < width; k++) bytes[at + k] = next()
    else if (kind === 1 && !isFloat(dtype)) bytes.fill(next() % 3 === 0 ? 255 : 0, at, at + width)[at]! |= next() & 15
    else if (kind === 2 && width >= 4) tie(dtype, bytes, at, next)
    else if (!(ordered && isNaNAt(dtype, chosen, 0))) bytes.set(chosen, at)
  }
  return bytes
}

/** The NaN of which only the last bit tells it from infinity. */
function leastNaN(dtype: DType): Uint8Array {
  const { buffer } = isFloat(dtype) ? (storageOf(dtype, [Number.POSITIVE_INFINITY]) as Uint8Array) : new Uint8Array(0)
  const bytes = new Uint8Array(buffer)
  if (bytes.length > 0) bytes[0]! |= 1
  return bytes
}

/** Bits of floats, and one more: what has so many is a tie. */
const TIES = [9, 12, 25, 54]

/** An element halfway between two of a narrower type, or beside one such. */
function tie(dtype: DType, bytes: Uint8Array, at: number, next: () => number): void {
  const width = widthOf(dtype)
  const view = new DataView(bytes.buffer, at, width)
  const most = TIES.filter((count) => count <= (isFloat(dtype) ? (width === 4 ? 24 : 53) : 8 * width))
  const count = most[next() % most.length]!
  const odd = (BigInt(next()) << 32n) | BigInt(next()) | 1n | (1n << BigInt(count - 1))
  const kept = BigInt.asUintN(count, odd)
  const beside = BigInt((next() % 3) - 1)
  if (!isFloat(dtype)) {
    const value = (kept << BigInt(next() % (8 * width - count + 1))) + beside
    const signed = next() % 2 === 0 ? value : -value
    if (width === 4) view.setUint32(0, Number(BigInt.asUintN(32, signed)), true)
    else view.setBigUint64(0, BigInt.asUintN(64, signed), true)
    return
  }
  const value = Number(kept) * 2 ** ((next() % 60) - 45)
  if (width === 4) view.setFloat32(0, value, true)
  else view.setFloat64(0, value, true)
  if (width === 4) view.setInt32(0, view.getInt32(0, true) + Number(beside), true)
  else view.setBigInt64(0, view.getBigInt64(0, true) + beside, true)
}

const { Memory, Module, Instance } = wasm!
/** Operands lie one behind the other, far enough for reads beyond a row's end. */
const APART = 2 * BLOCK
const PAGES = (BLOCK_COUNT * APART) / 65_536 + 1
const memory = new Memory({ initial: PAGES, maximum: PAGES, shared: false })
const linear = new Uint8Array(memory.buffer)
const code = instructionsOf(...all)

export interface Prepared {
  readonly call: Call
  /** What the call has to answer: undefined, or why it does not. */
  readonly judge: (answer: Answer) => string | undefined
}

/** Throws Unsupported where there is no machine code. */
export function prepare(given: Case): Prepared {
  const { program, signature, blocks, columns, outer, atStart, streams } = given
  const dtypes = [...program.inputs, program.code.at(-1)!.dtype]
  const lying = dtypes.map((dtype, i) => lyingOf(given, dtype, i))
  const next = stream(given.seed)
  const contents = lying.map(({ dtype, length }) => elements(dtype, length, next, given.ordered === true))
  const words = new Int32Array(memory.buffer)
  const wide = new BigInt64Array(PARAMETERS.operands / 4 + dtypes.length * 3 + outer.length * (2 + dtypes.length))
  const tell = (word: number, value: number, told = BigInt(value)): void => {
    words[word] = value
    wide[word] = told
  }
  tell(PARAMETERS.inner / 4, columns)
  tell(PARAMETERS.rows / 4, blocks)
  tell(PARAMETERS.outer / 4, outer.length)
  const starts = lying.map((_, i) => 4096 + i * APART)
  const addresses = lying.map(({ length }, i) => blockAt(i + 1) + BigInt(atStart ? 0 : BLOCK - length))
  for (const [i, { step, rowStep, lead }] of lying.entries()) {
    const word = (PARAMETERS.operands + i * PARAMETERS.operandSize) / 4
    tell(word, starts[i]! + lead, addresses[i]! + BigInt(lead))
    tell(word + 1, step)
    tell(word + 2, rowStep)
    linear.set(contents[i]!, starts[i]!)
  }
  for (const [axis, size] of outer.entries()) {
    const word =
      (PARAMETERS.operands +
        dtypes.length * PARAMETERS.operandSize +
        axis * (PARAMETERS.loopHeader + 4 * dtypes.length)) /
      4
    tell(word, size)
    tell(word + 1, 0)
    // What an axis has gone is not taken back, so the next one goes the rest of its way.
    for (const [i, { outerSteps }] of lying.entries()) {
      tell(word + 2 + i, outerSteps[axis]! - (axis === 0 ? 0 : (outer[0]! - 1) * outerSteps[0]!) - blocksBack(i))
    }
  }
  function blocksBack(i: number): number {
    return blocks * signature.rows * lying[i]!.rowStep
  }
  const whole: Signature = { ...signature, lanes: lanesOf(program, signature.rows) }
  const limits = { shared: false, maximum: PAGES }
  const bytes = compileWebAssembly(program, whole, (op) => codeOf(code, op).webassembly, limits)
  const imports = { bcast: { memory, remainder: (a: number, b: number) => a % b } }
  const { exports } = new Instance(new Module(bytes), imports)
  const result = (exports['run'] as (parameters: number) => number)(0)
  const { dtype, length } = lying.at(-1)!
  const wanted = linear.slice(starts.at(-1)!, starts.at(-1)! + length)
  const call: Call = {
    code: compileKernel(program, whole, { base: BASE, streams }),
    argument: 64,
    before: [
      { at: BASE + 64n, bytes: new Uint8Array(wide.buffer) },
      ...contents.map((own, i) => ({ at: addresses[i]!, bytes: own })),
    ],
    wanted: { at: addresses.at(-1)!, length },
  }
  return {
    call,
    judge: (answer) => {
      if (answer.result !== result) return `gives ${answer.result}, WebAssembly ${result}`
      // Where an element had no value, nothing is promised about the others.
      if (result !== 0) return undefined
      return difference(dtype, answer.bytes, wanted)
    },
  }
}
