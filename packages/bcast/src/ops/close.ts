// Whether tensors hold the same numbers, or nearly.
import { type DType, isFloat, isWide } from '../dtype/dtype.ts'
import { DTypeError, typesDiffer, wrongOption } from '../errors/index.ts'
import { FLAG } from '../expr/attributes.ts'
import { show } from '../shape/show.ts'
import { tensor } from '../tensor/create.ts'
import { Tensor } from '../tensor/tensor.ts'
import { type Allowed, checkOptions, checkTensors, counted } from './arguments.ts'
import { COMPUTATION, type Computation, type Computing } from './computation.ts'
import { bothWays } from './elementwise.ts'
import { fuse } from './fuse.ts'
import type { Operand, Traced } from './fuse-types.ts'
import { and, equal, notEqual, or, where } from './operators.ts'
import type { NumpyAt, OutOption } from './options.ts'
import type { Fits, Shaped } from './types.ts'
import type { Given, When, WithAsync } from './when.ts'

/** What `arrayEqual` takes behind its tensors. */
export interface EqualOptions {
  /** Whether a NaN equals a NaN; false unless said. */
  readonly equalNan?: boolean
}

/** What `isClose` and `allClose` take behind their operands. */
export interface CloseOptions extends EqualOptions {
  /** The tolerance that grows with B; 1e-5 unless said. */
  readonly rtol?: number
  /** The tolerance that does not; 1e-8 unless said. */
  readonly atol?: number
}

type Number_ = number | bigint | boolean
type Compared = Exclude<Operand, Traced<unknown> | string>
type IsCloseCall<W extends When> = <A extends Compared, B extends Compared>(
  a: A,
  b: Fits<A, B, NumpyAt<B>, B>,
  options?: CloseOptions & OutOption,
) => Given<W, Tensor<'bool', Shaped<[A, B], NumpyAt<B>>>>

const EQUAL: Allowed = { equalNan: FLAG }
const CLOSE: Allowed = { ...EQUAL, rtol: undefined, atol: undefined }

type Compare = (a: Traced<unknown>, b: Traced<unknown>) => Traced<unknown>

const fused = new Map<string, Computing>()

/** The kernel that compares elements of a type: differences of 64-bit integers are exact, rationals stay so. */
function kernelOf(dtype: DType, equalNan: boolean): Computing {
  const key = `${dtype} ${equalNan}`
  let kernel = fused.get(key)
  if (kernel === undefined) {
    const float: (x: Traced<unknown>) => Traced<unknown> = (x) => (dtype === 'real' ? x : x.cast('float64'))
    const distance: Compare = (a, b) =>
      isWide(dtype)
        ? where(a.greater(b), a.sub(b), b.sub(a)).cast('uint64').cast('float64')
        : float(a).sub(float(b)).abs()
    const same: Compare = (a, b) =>
      equalNan
        ? a.equal(b).or(
            float(a)
              .notEqual(float(a))
              .and(float(b).notEqual(float(b))),
          )
        : a.equal(b)
    const bounded: (x: Traced<unknown>) => Traced<unknown> = (x) => x.abs().less(Number.POSITIVE_INFINITY)
    kernel = fuse((a, b, rtol, atol) => {
      const near = distance(a, b).lessOrEqual(float(b).abs().mul(rtol).add(atol))
      return dtype === 'real' ? near : near.and(bounded(float(b))).or(same(a, b))
    }) as unknown as Computing
    fused.set(key, kernel)
  }
  return kernel
}

function tolerance(name: string, option: 'rtol' | 'atol', value: unknown): number {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value
  throw wrongOption(name, option, `is ${show(value)}`, 'it is a finite number, and not below 0')
}

/** Operands as tensors of one type: a number takes the type of the tensor beside it. */
function pairOf(name: string, operands: readonly unknown[]): readonly [Tensor, Tensor] {
  const beside = operands.find((operand) => operand instanceof Tensor)
  const given = operands.map((operand) =>
    beside !== undefined && ['number', 'bigint', 'boolean'].includes(typeof operand)
      ? tensor(operand as Number_, { dtype: beside.dtype })
      : operand,
  )
  checkTensors(name, given)
  const [a, b] = given as [Tensor, Tensor]
  if (a.dtype !== b.dtype) {
    throw typesDiffer(name, { operand: 1, dtype: b.dtype }, { operand: 0, dtype: a.dtype }, [a.dtype, b.dtype])
  }
  return [a, b]
}

function closeness(name: string, args: readonly unknown[], allowed: Allowed): Computation {
  const { operands, options } = counted(name, 2, args)
  checkOptions(name, options, allowed)
  const { rtol = 1e-5, atol = 1e-8, equalNan = false, out } = (options ?? {}) as CloseOptions & OutOption
  const [a, b] = pairOf(name, operands)
  const { dtype } = a
  if (dtype === 'string') {
    throw new DTypeError(`${name} compares numbers, not string; use equal, or arrayEqual.`, dtype)
  }
  const tolerances = [tolerance(name, 'rtol', rtol), tolerance(name, 'atol', atol)].map((value) =>
    tensor(value, { dtype: dtype === 'real' ? 'real' : 'float64' }),
  )
  return kernelOf(dtype, equalNan)[COMPUTATION]([a, b, ...tolerances, ...(out === undefined ? [] : [{ out }])])
}

/**
 * Where |a - b| ≤ atol + rtol * |b|, element by element, as NumPy's isclose: of floats computed in float64; differences
 * of integers and of `real` are exact. Infinities are close to themselves alone, and a NaN to nothing, unless `equalNan`.
 *
 * @example
 * ```ts
 * isClose(tensor([1, 2]), tensor([1.000001, 2.1])).toArray() // [true, false]
 * ```
 */
export const isClose: IsCloseCall<'now'> & WithAsync<IsCloseCall<'async'>> = /* @__PURE__ */ bothWays(
  'isClose',
  (...args: readonly unknown[]) => closeness('isClose', args, { ...CLOSE, out: undefined }),
)

/** Whether every element holds; an array without elements does. */
function everyOne(made: Tensor): boolean {
  const { offset } = made.layout
  const holds = !(made.storage as Uint8Array).subarray(offset, offset + made.size).includes(0)
  made.dispose()
  return holds
}

/**
 * Whether all elements are close, as `isClose` says; shapes broadcast.
 *
 * @example
 * ```ts
 * allClose(add(tensor([1, 2]), 1), tensor([2, 3.0001]), { rtol: 1e-4 }) // true
 * ```
 */
export function allClose<A extends Compared, B extends Compared>(
  a: A,
  b: Fits<A, B, NumpyAt<B>, B>,
  options?: CloseOptions,
): boolean {
  const args = [a, b, ...(options === undefined ? [] : [options])]
  checkOptions('allClose', options, CLOSE)
  return everyOne((isClose as unknown as (...all: unknown[]) => Tensor)(...args))
}

/**
 * Whether two tensors have the same shape and equal elements; shapes do not broadcast. Zeros of either sign are equal,
 * NaNs are not, unless `equalNan`. Tensors of different types are an error: cast one.
 *
 * @example
 * ```ts
 * arrayEqual(tensor([[1, 2]]).transpose(), tensor([[1], [2]])) // true
 * ```
 */
export function arrayEqual<A extends Tensor, B extends Tensor>(
  a: A,
  b: Fits<A, B, NumpyAt<B>, B> extends string ? B : Fits<A, B, NumpyAt<B>, B>,
  options?: EqualOptions,
): boolean {
  checkOptions('arrayEqual', options, EQUAL)
  checkTensors('arrayEqual', [a, b])
  const [x, y] = pairOf('arrayEqual', [a, b])
  if (x.rank !== y.rank || x.shape.some((size, axis) => size !== y.shape[axis])) return false
  const same = equal(x, y) as Tensor
  if (options?.equalNan !== true || !isFloat(x.dtype)) return everyOne(same)
  const [nanX, nanY] = [notEqual(x, x) as Tensor, notEqual(y, y) as Tensor]
  const holds = everyOne(or(same, and(nanX, nanY, { out: nanX }), { out: same }) as Tensor)
  for (const made of [nanX, nanY]) made.dispose()
  return holds
}
