// One reduction over operands that lie anywhere: as the interpreter computes it here, and as a call for AArch64. Operands
// end or begin where memory does, scratch memory ends there, and around the result nothing changes.
import type { Combining, DType } from 'bcast/kernels'
import { specials, storageOf } from '../../../../testing/elements.ts'
import { all, instructionsOf } from '../../../bcast/src/backend/instructions.ts'
import { reduce } from '../../../bcast/src/backend/interpreter/reduce.ts'
import { wideBytes, writeWideParameters } from '../../../bcast/src/backend/webassembly/machine/parameters.ts'
import { arrayOver, isFloat } from '../../../bcast/src/dtype/dtype.ts'
import type { ReducePlan } from '../../../bcast/src/plan/reduce.ts'
import { LANES } from '../../../bcast/src/plan/tree.ts'
import { rowMajorStrides } from '../../../bcast/src/tensor/layout.ts'
import { compileReduction } from '../../src/compile.ts'
import type { PlannedReduction, ReductionCase } from '../reduction-cases.ts'
import { difference, stream } from './elements.ts'
import { type Answer, BASE, BLOCK, blockAt, type Call } from './emulator.ts'

export interface ReductionCall {
  readonly call: Call
  /** What the call has to answer: undefined, or why it does not. */
  readonly judge: (answer: Answer) => string | undefined
}

/** Bytes around a result that stay as they are. */
const AROUND = 256
const UNTOUCHED = 0x5a

const instructions = instructionsOf(...all)

type Numbers = { [i: number]: number | bigint; readonly length: number }
const over = (dtype: DType, bytes: Uint8Array): Numbers =>
  arrayOver(dtype, bytes.buffer, bytes.byteOffset, bytes.length) as never

/** Floats as bits: where the exponent stands, and the exponent of 1. */
const HALVES = { float16: [10, 15], bfloat16: [7, 127] } as const

/** A float of which sums and products round; products of many stay within what a float holds. */
function float(dtype: DType, combine: Combining, next: () => number): number {
  const bits = next()
  const isProduct = combine === 'mul'
  if (dtype === 'float16' || dtype === 'bfloat16') {
    const [at, one] = HALVES[dtype]
    const exponent = one + (isProduct ? -(bits & 1) : ((bits >>> 1) & 7) - 5)
    return ((bits >>> 31) << 15) | (exponent << at) | ((bits >>> 8) & ((1 << at) - 1))
  }
  const x = bits / 2 ** 32
  return isProduct ? (0.8 + 0.4 * x) * (bits & 1 ? 1 : -1) : (x - 0.5) * 10 ** (next() % 4)
}

/** Numbers, some of which find mistakes. */
function contents(dtype: DType, length: number, combine: Combining, next: () => number): Uint8Array {
  const bytes = new Uint8Array(length)
  const numbers = over(dtype, bytes)
  if (isFloat(dtype)) for (let i = 0; i < numbers.length; i++) numbers[i] = float(dtype, combine, next)
  else for (let i = 0; i < length; i++) bytes[i] = dtype === 'bool' ? (next() >>> 7) & 1 : next() >>> 7
  const special = storageOf(dtype, specials(dtype)) as unknown as Numbers
  if (next() % 2 === 0) return bytes
  for (let i = next() % 500; i < numbers.length; i += 1 + (next() % 1000)) {
    numbers[i] = special[next() % special.length]!
  }
  return bytes
}

/** The result as the interpreter computes it. */
function interpreted(
  { program, shape, operands }: PlannedReduction,
  combine: Combining,
  given: readonly Uint8Array[],
): Uint8Array {
  const result = new Uint8Array(operands.at(-1)!.extent)
  const placed = operands.map(({ dtype, strides }, i) => ({
    storage: over(dtype, given[i] ?? result) as never,
    offset: 0,
    strides,
  }))
  reduce({ program, combine, instructions, shape, run: [1, 2], operands: placed })
  return result
}

/** Lanes that a kernel leaves apart, those of a result one behind the other, as one each. */
function folded(
  dtype: DType,
  combine: Combining,
  bytes: Uint8Array,
  [results, lanes]: readonly [number, number],
): Uint8Array {
  const program = { inputs: [dtype], code: [{ op: 'input', dtype, args: [], value: 0 }] } as const
  const result = new Uint8Array(bytes.length / lanes)
  const operands = [
    { storage: over(dtype, bytes.slice()) as never, offset: 0, strides: [lanes, 1] },
    { storage: over(dtype, result) as never, offset: 0, strides: [1, 0] },
  ]
  reduce({ program, combine, instructions, shape: [results, lanes], run: [1, 2], operands })
  return result
}

/** How what is left lies: the strides of its loops, and where lane `i` of result `j` is. */
function leftBy({ signature, sizes, results }: ReducePlan) {
  const { way, open, lanes: ownLanes } = signature
  const runLoop = sizes.length - (way === 'along' ? 1 : 2)
  const lanes = way === 'across' ? LANES : ownLanes
  const columns = sizes.at(-1)!
  const strides = rowMajorStrides(sizes.with(runLoop, 1)).map((stride, i) => {
    if (i === runLoop) return 0
    return way === 'across' || i > runLoop ? stride : stride * ownLanes
  })
  const at = (i: number, j: number): number => {
    if (way === 'along') return j * lanes + i
    if (way === 'across') return i * results + j
    return Math.floor(j / columns) * columns * lanes + i * columns + (j % columns)
  }
  return { open, lanes, strides, at, apart: way === 'across' ? results : 0 }
}

/** A call of the reduction; one that is open leaves lanes. Throws Unsupported where there is no code. */
export function reductionCall(given: ReductionCase, planned: PlannedReduction, seed: number): ReductionCall {
  const { program, operands, plan } = planned
  const { signature, sizes, scratch, results } = plan
  const code = compileReduction(program, given.combine, signature, { level: 'neon', base: BASE })
  const next = stream(seed)
  const inputs = operands.slice(0, -1)
  const filled = inputs.map(({ dtype, extent }) => contents(dtype, extent, given.combine, next))
  const wanted = interpreted(planned, given.combine, filled)
  const left = leftBy(plan)
  const { dtype, width } = operands.at(-1)!
  const extents = [...inputs.map(({ extent }) => extent), results * width * (left.open ? left.lanes : 1)]
  const begins = extents.map((extent, i) => blockAt(i + 1) + BigInt(given.ends[i] ? BLOCK - extent : 0))
  const placed = operands.map((operand, i) => ({
    address: Number(begins[i]),
    width: operand.width,
    strides: left.open && i === inputs.length ? left.strides : plan.strides[i]!,
  }))
  const gap = sizes.map((_, i) => (left.open && i === sizes.length - 1 ? left.apart : 0))
  const scratchBlock = blockAt(operands.length + 1)
  placed.push({ address: Number(scratchBlock) + BLOCK - scratch, width, strides: gap })
  const told = new Int32Array(wideBytes(placed.length, sizes.length) / 4)
  writeWideParameters(told, sizes, placed, 1)
  const block = blockAt(operands.length)
  const first = begins.at(-1)!
  const behind = first + BigInt(extents.at(-1)!)
  const from = first - BigInt(AROUND) < block ? block : first - BigInt(AROUND)
  const to = behind + BigInt(AROUND) > block + BigInt(BLOCK) ? block + BigInt(BLOCK) : behind + BigInt(AROUND)
  const length = Number(to - from)
  return {
    call: {
      code,
      argument: 64,
      before: [
        { at: BASE + 64n, bytes: new Uint8Array(told.buffer) },
        ...filled.map((bytes, i) => ({ at: begins[i]!, bytes })),
        { at: from, bytes: new Uint8Array(length).fill(UNTOUCHED) },
      ],
      wanted: { at: from, length },
    },
    judge: ({ result, bytes }) => {
      if (result !== 0) return `gives ${result}`
      const before = Number(first - from)
      const own = bytes.slice(before, before + extents.at(-1)!)
      const around = [...bytes.subarray(0, before), ...bytes.subarray(before + own.length)]
      if (around.some((byte) => byte !== UNTOUCHED)) return 'writes around the result'
      if (!left.open) return difference(dtype, own, wanted)
      const lanes = new Uint8Array(own.length)
      for (let j = 0; j < results; j++) {
        for (let i = 0; i < left.lanes; i++) {
          const source = left.at(i, j) * width
          lanes.set(own.subarray(source, source + width), (j * left.lanes + i) * width)
        }
      }
      return difference(dtype, folded(dtype, given.combine, lanes, [results, left.lanes]), wanted)
    },
  }
}
