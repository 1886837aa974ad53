// Numbers evenly spaced between two ends, by NumPy's own sequence of operations: the same float64 bits.
import { type DType, dtypeOf, isFloat } from '../../dtype/dtype.ts'
import { toStored } from '../../dtype/element.ts'
import { type Real, realArithmetic } from '../../dtype/real.ts'
import { DTypeError, ValueError, wrongOption } from '../../errors/index.ts'
import { checkShape } from '../../shape/dim.ts'
import { checkOptionsOf } from '../../shape/options.ts'
import { show } from '../../shape/show.ts'
import type { DTypeFor } from '../../tensor/create.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkNoMore } from '../arguments.ts'
import { numbersAt } from './numbers.ts'
import { type CreationOptions, OPTIONS, type Size } from './options.ts'

/** What `linspace` takes behind its numbers. */
export interface LinspaceOptions extends CreationOptions {
  /** Whether `stop` is the last number; true unless said. */
  readonly endpoint?: boolean
}

function floats(dtype: DType, start: unknown, stop: unknown, count: number, gaps: number, endpoint: boolean): Tensor {
  const [from, to] = [start, stop].map((value) => toStored('float64', value)) as [number, number]
  if (!Number.isFinite(from) || !Number.isFinite(to)) {
    throw new ValueError(`linspace: ${show(from)} to ${show(to)} has no even spacing; both ends must be finite.`, stop)
  }
  const whole = to - from
  const step = whole / gaps
  // A step that vanishes would lose the end; dividing the position first does not.
  const at = (i: number): number =>
    (step === 0 && gaps > 0 ? (i / gaps) * whole : gaps > 0 ? i * step : i * whole) + from
  return numbersAt(dtype, count, (i) => (endpoint && i === count - 1 && count > 1 ? to : at(i)))
}

function rationals(start: unknown, stop: unknown, count: number, gaps: number): Tensor {
  const real = realArithmetic()
  const [from, to] = [start, stop].map((value) => toStored('real', value)) as [Real, Real]
  const step = gaps > 0 ? real.div(real.sub(to, from), real.from(gaps)) : real.from(0)
  return numbersAt('real', count, (i) => real.add(from, real.mul(real.from(i), step)))
}

/**
 * `count` numbers evenly spaced from `start` to `stop`, both included unless `endpoint` is false: in float64 the bits of
 * NumPy's linspace, rounded once to other floats; `real` is exact. float32 unless `dtype` says otherwise.
 *
 * @example
 * ```ts
 * linspace(0, 1, 5).toArray() // [0, 0.25, 0.5, 0.75, 1]
 * linspace(0, 1, 4, { endpoint: false, dtype: 'float64' }).toArray() // [0, 0.25, 0.5, 0.75]
 * ```
 */
export function linspace<const N extends number, const O extends LinspaceOptions = Record<never, never>>(
  start: number | Real,
  stop: number | Real,
  count: N,
  options?: O,
): Tensor<DTypeFor<number, O>, [Size<N>]>
export function linspace(
  start: number | Real,
  stop: number | Real,
  count: number,
  options?: LinspaceOptions,
  ...rest: readonly unknown[]
): Tensor {
  checkNoMore(
    'linspace',
    rest,
    'start, stop and count, and options behind them: linspace(0, 1, 5, { endpoint: false })',
  )
  checkOptionsOf('linspace', options, [...OPTIONS, 'endpoint'])
  checkShape([count], 'count of linspace')
  const { endpoint = true, dtype: wanted = 'float32' } = options ?? {}
  if (typeof endpoint !== 'boolean') {
    throw wrongOption('linspace', 'endpoint', `is ${show(endpoint)}`, 'it is true or false')
  }
  const dtype = dtypeOf(wanted)
  const gaps = endpoint ? count - 1 : count
  if (isFloat(dtype)) return floats(dtype, start, stop, count, gaps, endpoint)
  if (dtype === 'real') return rationals(start, stop, count, gaps)
  throw new DTypeError(
    `linspace gives numbers between others, so it makes floats and real, not ${dtype}; cast(linspace(…), '${dtype}') cuts them off.`,
    dtype,
  )
}
