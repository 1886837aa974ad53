// Elements of answers as JavaScript values and as text, and how far two floats are apart.
import { bytesOf, elementCount, type TensorData } from './case.ts'
import { toTensor } from './ours.ts'

/** The elements in row-major order. */
export const elementsOf = (tensor: TensorData): unknown[] => [toTensor(tensor).toArray()].flat(20)

/** Bits of each element of a float tensor, as signed magnitudes that count in units in the last place. */
export function ordinals({ dtype, shape, ...rest }: TensorData): bigint[] {
  const bytes = bytesOf({ dtype, shape, ...rest })
  const step = elementCount(shape) === 0 ? 1 : bytes.length / elementCount(shape)
  const sign = 1n << BigInt(8 * step - 1)
  return Array.from({ length: bytes.length / step }, (_, i) => {
    let bits = 0n
    for (let b = step - 1; b >= 0; b--) bits = (bits << 8n) | BigInt(bytes[i * step + b]!)
    return (bits & sign) === 0n ? bits : -(bits & (sign - 1n))
  })
}

const isNaNValue = (value: unknown): boolean => typeof value === 'number' && Number.isNaN(value)

/** Equal to the bit, where every NaN equals every other. */
export const sameElement = (x: unknown, y: unknown): boolean => Object.is(x, y) || (isNaNValue(x) && isNaNValue(y))

export function elementText(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/** Units in the last place between two floats of a format; undefined when either is not finite. */
export function ulps(ours: bigint, theirs: bigint, x: unknown, y: unknown): bigint | undefined {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return undefined
  return ours > theirs ? ours - theirs : theirs - ours
}
