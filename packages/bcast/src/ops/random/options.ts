// What draws of random numbers have in common: floats of a type, unless said float32, and numbers as options.
import { type DType, dtypeOf, isFloat, makeStorage } from '../../dtype/dtype.ts'
import { fromStored, toStored } from '../../dtype/element.ts'
import { dtypeInfo } from '../../dtype/info.ts'
import { DTypeError, wrongOption } from '../../errors/index.ts'
import { checkShape } from '../../shape/dim.ts'
import { checkOptionsOf } from '../../shape/options.ts'
import { show } from '../../shape/show.ts'
import { checkNoMore } from '../arguments.ts'
import type { RandomStream } from './stream.ts'
import { checkStream } from './stream.ts'

/** Element types that can be drawn. */
export type Drawn = 'float16' | 'bfloat16' | 'float32' | 'float64' | 'float' | 'double'

/** What every draw of random numbers takes. */
export interface DrawOptions {
  /** The element type, a float; float32 unless said. */
  readonly dtype?: Drawn
}

/** Whether a number is one of a type once it is rounded, and not infinite. */
export function holds(dtype: DType, value: number): boolean {
  const storage = makeStorage(dtype, 1)
  ;(storage as unknown[])[0] = toStored(dtype, value)
  return Number.isFinite(fromStored(dtype, storage, 0))
}

/** What a type holds, in words. */
export const heldBy = (dtype: DType): string => `${dtype} holds numbers up to ${dtypeInfo(dtype).max}`

/** Checks a draw; gives its type. */
export function checkDraw<const N extends string>(
  name: string,
  stream: unknown,
  shape: unknown,
  options: object | undefined,
  numbers: Readonly<Record<N, number>>,
  rest: readonly unknown[],
): { readonly stream: RandomStream; readonly dtype: DType; readonly numbers: Readonly<Record<N, number>> } {
  const [first, second] = Object.keys(numbers)
  checkNoMore(
    name,
    rest,
    `a stream and a shape, and options behind them: ${name}(random(42), [2, 3], { ${first}: 0, ${second}: 1 })`,
  )
  checkStream(name, stream)
  checkOptionsOf(name, options, ['dtype', ...Object.keys(numbers)])
  checkShape(shape)
  const given = (options ?? {}) as Readonly<Record<string, unknown>>
  const dtype = dtypeOf(given['dtype'] ?? 'float32')
  if (!isFloat(dtype)) {
    throw new DTypeError(
      `${name} draws floats, not ${dtype}; cast(floor(${name}(…)), '${dtype}') makes integers of them.`,
      dtype,
    )
  }
  const known: Record<string, number> = {}
  for (const key of Object.keys(numbers) as N[]) {
    const value = given[key] ?? numbers[key]
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw wrongOption(name, key, `is ${show(value)}`, 'it is a finite number')
    }
    if (!holds(dtype, value)) throw wrongOption(name, key, `is ${value}`, heldBy(dtype))
    known[key] = value
  }
  return { stream, dtype, numbers: known as Record<N, number> }
}
