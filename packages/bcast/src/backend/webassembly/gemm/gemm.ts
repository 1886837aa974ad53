// alpha * A B + beta * C on the engine. Each block of sums is finished (alpha, beta * C, rounding to 16 bits) by an
// element-wise kernel while it is still in the cache; C may be stretched and lie anywhere, as in any operator.

import { type DType, isFloat, makeStorage, type TypedArray } from '../../../dtype/dtype.ts'
import { Builder, type Program } from '../../../expr/ir.ts'
import { checkReach } from '../../../tensor/placed.ts'
import { threadedEngine } from '../../async.ts'
import { currentEngine } from '../../backends.ts'
import type { Operand } from '../../interpreter/execute.ts'
import { type Coefficients, type GemmSizes, gemm as interpret } from '../../interpreter/gemm.ts'
import { sumType } from '../codegen/gemm.ts'
import type { Engine } from '../engine.ts'
import { arrayClass } from '../memory/copy.ts'
import { canShareWork } from '../threads/pool.ts'
import { runSteps, type Step } from '../threads/queue.ts'
import { type Lines, Product, planBlocks } from './multiply.ts'

/** Up to so many products, packing costs more than it saves. */
const FEW = 512
/** Up to so many, a product is over before a thread would have begun. */
const BRIEF = 1 << 19
/** How much smaller blocks may get when the arena is nearly full. */
const SHRINKS = [1, 4, 16]

/** The type of alpha and beta, and of sums when they meet C. */
const factorType = (dtype: DType): DType => (isFloat(dtype) ? sumType(dtype) : dtype)

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
const from = ({ storage, offset, strides }: Operand, row: number, column: number): Operand => ({
  storage,
  offset: offset + row * strides[0]! + column * strides[1]!,
  strides,
})

interface Steps {
  readonly steps: Iterable<Step>
  /** Gives back what they need. */
  readonly free: () => void
}

/** alpha * A B + beta * C, of at least one element, in steps of an engine for so many threads; undefined without room. */
export function stepsOn(
  engine: Engine,
  threads: number,
  dtype: DType,
  sizes: GemmSizes,
  [a, b, c]: readonly [Operand, Operand, (Operand | undefined)?],
  { alpha, beta }: Coefficients,
  out: Operand,
): Steps | undefined {
  const { arena } = engine
  const linesOf = ({ storage, offset, strides }: Operand, axis: 0 | 1): Lines => {
    const array = storage as TypedArray
    const foreign = !arena.holds(array)
    return { array, first: offset, across: strides[axis]!, along: strides[1 - axis]!, foreign }
  }
  const left = linesOf(a, 0)
  const right = linesOf(b, 1)
  for (const shrink of SHRINKS) {
    const blocks = planBlocks(dtype, sizes, threads, shrink, left.foreign || right.foreign)
    const scratch = arena.allocate(blocks.bytes)
    if (scratch === undefined) continue
    const View = arrayClass(makeStorage(factorType(dtype), 0) as TypedArray)
    const sums = new View(arena.buffer, scratch + blocks.sums, blocks.rows * blocks.columns)
    const factors = new View(arena.buffer, scratch + blocks.factors, 2)
    const wide = factors instanceof BigInt64Array || factors instanceof BigUint64Array
    factors[0] = wide ? BigInt(alpha) : alpha
    factors[1] = wide ? BigInt(beta) : beta
    if (sizes.k === 0) new Uint8Array(sums.buffer, sums.byteOffset, sums.byteLength).fill(0)
    const program = finishing(dtype, c !== undefined)
    const factor = (offset: number): Operand => ({ storage: factors, offset, strides: [0, 0] })
    const product = new Product(engine, dtype, blocks, scratch)
    const steps = product.steps(sizes, left, right, (row, column, rows, columns) => {
      const inputs = [{ storage: sums, offset: 0, strides: [blocks.columns, 1] }, factor(0)]
      if (c !== undefined) inputs.push(factor(1), from(c, row, column))
      return engine.execute(program, [rows, columns], inputs, from(out, row, column)) === 'done'
    })
    return { steps, free: () => arena.free(scratch, blocks.bytes) }
  }
  return undefined
}

/** Computes it on the calling thread, together with the others; false, having done nothing, without room for scratch. */
export function computeOn(
  engine: Engine,
  dtype: DType,
  sizes: GemmSizes,
  operands: readonly [Operand, Operand, (Operand | undefined)?],
  coefficients: Coefficients,
  out: Operand,
): boolean {
  const threads = canShareWork ? engine.threads : 1
  const planned = stepsOn(engine, threads, dtype, sizes, operands, coefficients, out)
  if (planned === undefined) return false
  try {
    for (const step of planned.steps) step()
    return true
  } finally {
    planned.free()
  }
}

function checkOperands({ m, n, k }: GemmSizes, a: Operand, b: Operand, c: Operand | undefined, out: Operand): void {
  checkReach([m, k], a)
  checkReach([k, n], b)
  for (const operand of c === undefined ? [out] : [c, out]) checkReach([m, n], operand)
}

/** Multiplications of a product. */
const workOf = ({ m, n, k }: GemmSizes): number => m * n * Math.max(1, k)

/**
 * Writes alpha * A B + beta * C; C is seen in the result's shape, or absent. The result must not lie where A or B does;
 * it may lie exactly where C does.
 */
export function gemm(
  dtype: DType,
  sizes: GemmSizes,
  a: Operand,
  b: Operand,
  c: Operand | undefined,
  coefficients: Coefficients,
  out: Operand,
): void {
  checkOperands(sizes, a, b, c, out)
  const engine = workOf(sizes) <= FEW || dtype === 'real' ? undefined : currentEngine()
  if (engine !== undefined && computeOn(engine, dtype, sizes, [a, b, c], coefficients, out)) return
  interpret(dtype, sizes, a, b, c, coefficients, out)
}

/** Does what `gemm` does, on the threads where they can and it is worth it; only in turn. */
export async function gemmLater(
  dtype: DType,
  sizes: GemmSizes,
  a: Operand,
  b: Operand,
  c: Operand | undefined,
  coefficients: Coefficients,
  out: Operand,
): Promise<void> {
  const check = (): void => checkOperands(sizes, a, b, c, out)
  check()
  const engine = workOf(sizes) <= BRIEF || dtype === 'real' ? undefined : threadedEngine()
  const planned = engine && stepsOn(engine, engine.threads, dtype, sizes, [a, b, c], coefficients, out)
  if (planned === undefined) return gemm(dtype, sizes, a, b, c, coefficients, out)
  try {
    await runSteps(engine!, planned.steps, check)
  } finally {
    planned.free()
  }
}
