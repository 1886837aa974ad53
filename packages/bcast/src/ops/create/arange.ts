// Numbers a step apart. How many there are is NumPy's rule; each is its own start + i * step, rounded once, so that no
// error piles up along the way.
import { type DType, dtypeOf, isFloat, isInteger, isWide, kindOf } from '../../dtype/dtype.ts'
import { toStored } from '../../dtype/element.ts'
import { type Real, realArithmetic } from '../../dtype/real.ts'
import { cannotHold, DTypeError, OperandError, ValueError } from '../../errors/index.ts'
import { checkOptionsOf, isOptions } from '../../shape/options.ts'
import type { DTypeFor } from '../../tensor/create.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { described } from '../arguments.ts'
import { numbersAt } from './numbers.ts'
import { type CreationOptions, OPTIONS, type Size } from './options.ts'

/** What can be counted with. */
type Countable = number | bigint | Real

const isCountable = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'bigint' ||
  (typeof value === 'object' && value !== null && 'n' in value && 'd' in value)

const zeroStep = (step: unknown): ValueError => new ValueError('arange: step is 0; it never reaches stop.', step)

function tooMany(count: unknown): ValueError {
  return new ValueError(`arange: there would be ${String(count)} numbers; start, stop and step must be finite.`, count)
}

/** How many steps there are before stop, for whole numbers: exact, however large. */
function stepsOfIntegers(start: bigint, stop: bigint, step: bigint): number {
  const whole = stop - start
  if (whole === 0n || whole < 0n !== step < 0n) return 0
  const count = whole / step + (whole % step === 0n ? 0n : 1n)
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) throw tooMany(count)
  return Number(count)
}

/** An end that is no integer lets through as many integers as the next one on the far side of it. */
function integerEnd(stop: Countable, upward: boolean): bigint {
  if (typeof stop !== 'number') return stop as bigint
  const end = upward ? Math.ceil(stop) : Math.floor(stop)
  if (!Number.isFinite(end)) throw tooMany(stop)
  return BigInt(end)
}

/** An integer of any size: what the type has to hold are the elements. */
function integerOf(dtype: DType, value: Countable): bigint {
  if (typeof value === 'bigint') return value
  if (Number.isInteger(value)) return BigInt(value as number)
  throw cannotHold(dtype, value, 'it is not an integer', [])
}

function integers(dtype: DType, start: Countable, stop: Countable, step: Countable): Tensor {
  const [first, by] = [integerOf(dtype, start), integerOf(dtype, step)]
  if (by === 0n) throw zeroStep(step)
  const count = stepsOfIntegers(first, integerEnd(stop, by > 0n), by)
  if (count > 0) for (const end of [first, first + BigInt(count - 1) * by]) toStored(dtype, end)
  if (isWide(dtype)) return numbersAt(dtype, count, (i) => first + BigInt(i) * by)
  const [from, apart] = [Number(first), Number(by)]
  return numbersAt(dtype, count, (i) => from + i * apart)
}

function floats(dtype: DType, start: Countable, stop: Countable, step: Countable): Tensor {
  const [from, to, by] = [start, stop, step].map((value) => toStored('float64', value)) as [number, number, number]
  if (by === 0) throw zeroStep(step)
  const count = Math.max(0, Math.ceil((to - from) / by))
  if (!Number.isSafeInteger(count)) throw tooMany(count)
  return numbersAt(dtype, count, (i) => from + i * by)
}

function rationals(start: Countable, stop: Countable, step: Countable): Tensor {
  const real = realArithmetic()
  const [from, to, by] = [start, stop, step].map((value) => toStored('real', value)) as [Real, Real, Real]
  if (by.n === 0n) throw zeroStep(step)
  const steps = real.div(real.sub(to, from), by)
  const count = steps.s < 0n ? 0n : (steps.n + steps.d - 1n) / steps.d
  if (count > BigInt(Number.MAX_SAFE_INTEGER)) throw tooMany(count)
  return numbersAt('real', Number(count), (i) => real.add(from, real.mul(real.from(i), by)))
}

const defaultType = (values: readonly unknown[]): DType => {
  if (values.some((value) => typeof value === 'object')) return 'real'
  return values.some((value) => typeof value === 'bigint') ? 'int64' : 'float32'
}

/**
 * Numbers from `start` (0 unless said) to before `stop`, `step` (1 unless said) apart: as many as NumPy's arange gives,
 * ⌈(stop - start) / step⌉. Element i is start + i * step, computed in float64 and rounded once; integers are exact, and
 * one that the type cannot hold is an error. Numbers make float32, bigints int64, unless `dtype` says otherwise.
 *
 * @example
 * ```ts
 * arange(5).toArray() // [0, 1, 2, 3, 4]
 * arange(1, 10, 2, { dtype: 'int32' }).toArray() // [1, 3, 5, 7, 9]
 * arange(1, 0, -0.25).toArray() // [1, 0.75, 0.5, 0.25]
 * ```
 */
export function arange<const N extends Countable, const O extends CreationOptions = Record<never, never>>(
  stop: N,
  options?: O,
): Tensor<DTypeFor<N, O>, [Size<N>]>
export function arange<N extends Countable, const O extends CreationOptions = Record<never, never>>(
  start: N,
  stop: N,
  options?: O,
): Tensor<DTypeFor<N, O>, [number]>
export function arange<N extends Countable, const O extends CreationOptions = Record<never, never>>(
  start: N,
  stop: N,
  step: N,
  options?: O,
): Tensor<DTypeFor<N, O>, [number]>
export function arange(...args: readonly unknown[]): Tensor {
  const last = args.at(-1)
  const options = isOptions(last) ? (last as CreationOptions) : undefined
  const given = args.slice(0, options === undefined && last !== undefined ? undefined : -1)
  checkOptionsOf('arange', options, OPTIONS)
  if (given.length < 1 || given.length > 3) {
    throw new OperandError(
      `arange takes stop, or start and stop, or start, stop and step, with options behind them: arange(0, 10, 2, { dtype: 'int32' }); it was given ${given.length} arguments.`,
      { operator: 'arange' },
    )
  }
  // The step alone may be left out by undefined.
  given.forEach((value, i) => {
    if (isCountable(value) || (i === 2 && value === undefined)) return
    throw new ValueError(`arange: ${described(value)} is not a number to count with.`, value)
  })
  const dtype = options?.dtype === undefined ? defaultType(given) : dtypeOf(options.dtype)
  const [start, stop, step = 1] = (given.length === 1 ? [0, given[0]] : given) as [Countable, Countable, Countable?]
  if (isInteger(dtype)) return integers(dtype, start, stop, step)
  if (isFloat(dtype)) return floats(dtype, start, stop, step)
  if (kindOf(dtype) === 'real') return rationals(start, stop, step)
  throw new DTypeError(`arange does not count in ${dtype}; it counts in floats, integers and real.`, dtype)
}
