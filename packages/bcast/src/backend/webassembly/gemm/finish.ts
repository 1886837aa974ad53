// What becomes of sums: alpha * sum + beta * C, rounded once to the type of the result, as an element-wise program. C may
// be stretched and lie anywhere, as in any operator.
import { type DType, isFloat, makeStorage, type TypedArray } from '../../../dtype/dtype.ts'
import { Builder, type Program } from '../../../expr/ir.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { GemmJob } from '../../gemm-job.ts'
import { add, instructionsOf, mul } from '../../instructions.ts'
import { sumType } from '../codegen/gemm.ts'
import { arrayClass } from '../memory/copy.ts'
import type { Runner } from '../task.ts'
import type { ProductHome } from './scratch.ts'

/** Bytes of alpha and beta. */
export const FACTORS = 16

/** The type of alpha and beta, and of sums when they meet C. */
const factorType = (dtype: DType): DType => (isFloat(dtype) ? sumType(dtype) : dtype)

const instructions = /* @__PURE__ */ instructionsOf(add, mul)
const programs = new Map<string, Program>()

/** alpha * sum + beta * c in the type of sums, rounded once to the type of the result. */
function finishing(dtype: DType, withC: boolean): Program {
  const key = `${dtype} ${withC}`
  let program = programs.get(key)
  if (program === undefined) {
    const type = factorType(dtype)
    const b = new Builder(withC ? [type, type, type, dtype] : [type, type])
    const product = b.op('mul', b.input(1), b.input(0))
    const result = withC ? b.op('add', product, b.op('mul', b.input(2), b.cast(b.input(3), type))) : product
    program = b.program(b.cast(result, dtype))
    programs.set(key, program)
  }
  return program
}

/** Part of a matrix that begins at a row and a column. */
const from = ({ storage, offset, strides }: Placed, row: number, column: number): Placed => ({
  storage,
  offset: offset + row * strides[0]! + column * strides[1]!,
  strides,
})

/** Makes a block of the result, which begins at a row and a column, of sums. */
export type Finish = (
  runner: Runner,
  now: boolean,
  row: number,
  column: number,
  rows: number,
  columns: number,
) => boolean

/** Finishes blocks whose sums lie at an address, in rows of `rowLength`; `factorsAt` has room for alpha and beta. */
export function finishOf(
  backend: ProductHome,
  { dtype, sizes, c, alpha, beta, out }: GemmJob,
  at: { readonly sums: number; readonly rows: number; readonly rowLength: number; readonly factors: number },
): Finish {
  const { arena } = backend
  const View = arrayClass(makeStorage(factorType(dtype), 0) as TypedArray)
  const sums = new View(arena.buffer, at.sums, at.rows * at.rowLength)
  const factors = new View(arena.buffer, at.factors, 2)
  const wide = factors instanceof BigInt64Array || factors instanceof BigUint64Array
  factors[0] = wide ? BigInt(alpha) : alpha
  factors[1] = wide ? BigInt(beta) : beta
  const program = finishing(dtype, c !== undefined)
  const factor = (offset: number): Placed => ({ storage: factors, offset, strides: [0, 0] })
  return (runner, now, row, column, rows, columns) => {
    const inputs = [{ storage: sums, offset: 0, strides: [at.rowLength, 1] }, factor(0)]
    if (c !== undefined) inputs.push(factor(1), from(c, row, column))
    const operands = [...inputs, from(out, row, column)]
    if (sizes.k === 0) runner.before(() => new Uint8Array(sums.buffer, sums.byteOffset, sums.byteLength).fill(0))
    return backend.runOn(runner, { program, instructions, shape: [rows, columns], operands }, now)
  }
}
