// What draws of random numbers have in common: floats of a type, unless said float32, and numbers as options.
import { type DType, dtypeOf, isFloat } from '../../dtype/dtype.ts'
import { DTypeError, wrongOption } from '../../errors/index.ts'
import { checkShape } from '../../shape/dim.ts'
import { checkOptionsOf } from '../../shape/options.ts'
import { show } from '../../shape/show.ts'
import type { RandomStream } from './stream.ts'
import { checkStream } from './stream.ts'

/** Element types that can be drawn. */
export type Drawn = 'float16' | 'bfloat16' | 'float32' | 'float64' | 'float' | 'double'

/** What every draw of random numbers takes. */
export interface DrawOptions {
  /** The element type, a float; float32 unless said. */
  readonly dtype?: Drawn
}

/** Checks a draw; gives its type. */
export function checkDraw<const N extends string>(
  name: string,
  stream: unknown,
  shape: unknown,
  options: object | undefined,
  numbers: Readonly<Record<N, number>>,
): { readonly stream: RandomStream; readonly dtype: DType; readonly numbers: Readonly<Record<N, number>> } {
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
    known[key] = value
  }
  return { stream, dtype, numbers: known as Record<N, number> }
}
