// Values as programs write them, read into a tensor's memory: nested arrays of elements, of typed arrays and of tensors,
// which are stacked. Ragged nesting, elements of several kinds, and what has no elements are errors that show where.
import { arrayOver, type DType, dtypeOfArray, makeStorage, type Storage } from '../dtype/dtype.ts'
import { fromStored, toStored } from '../dtype/element.ts'
import { noElement, ValueError } from '../errors/index.ts'
import { elementCount, formatShape, type Shape } from '../shape/dim.ts'
import { type Layout, rowMajor } from './layout.ts'
import { pack } from './pack.ts'
import { checkReach } from './placed.ts'
import { Tensor } from './tensor.ts'

/** Elements that have a type already. */
export interface Typed {
  readonly dtype: DType
  readonly layout: Layout
  readonly storage: Storage
}

/** A tensor or a typed array, of any realm, as its elements; undefined where a value is neither. */
export function typedOf(value: unknown): Typed | undefined {
  if (value instanceof Tensor) return value
  const dtype = ArrayBuffer.isView(value) ? dtypeOfArray(value) : undefined
  if (dtype === undefined) return undefined
  const { buffer, byteOffset, byteLength } = value as ArrayBufferView
  const own = makeStorage(dtype, 0).constructor as unknown as new () => Storage
  // Another realm has classes of its own, bytes may clamp, and halves are seen as their bits.
  const storage = value instanceof own ? (value as Storage) : arrayOver(dtype, buffer, byteOffset, byteLength)
  return { dtype, layout: rowMajor([storage.length]), storage }
}

/** The shape by following first entries, and what stands behind the last of them; others may turn out to differ. */
export function nestingOf(values: unknown): { readonly shape: Shape; readonly first: unknown } {
  const shape: number[] = []
  let level = values
  for (; Array.isArray(level); level = level[0]) shape.push(level.length)
  return { shape: [...shape, ...(typedOf(level)?.layout.shape ?? [])], first: level }
}

const at = (path: readonly number[]): string => (path.length === 0 ? 'at the top' : `at [${path.join(', ')}]`)

/** What elements have to share: the kind of JavaScript value, or the type that they have already. */
const kindOf = (value: unknown): string => typedOf(value)?.dtype ?? typeof value

/** The type of what is read, unless a call says one. */
export function typeOf(first: unknown): DType {
  const typed = typedOf(first)
  if (typed !== undefined) return typed.dtype
  if (typeof first === 'bigint') return 'int64'
  if (typeof first === 'boolean') return 'bool'
  if (typeof first === 'string') return 'string'
  return typeof first === 'object' && first !== null ? 'real' : 'float32'
}

/** Copies elements that have a type into another storage; in another type their values must fit. */
export function copyTyped({ dtype, layout, storage }: Typed, to: Storage, type: DType, first: number): number {
  const count = elementCount(layout.shape)
  checkReach(layout.shape, { storage, ...layout })
  if (dtype === type) pack(layout, storage, to, first)
  else {
    const packed = pack(layout, storage, makeStorage(dtype, count))
    for (let i = 0; i < count; i++) (to as unknown[])[first + i] = toStored(type, fromStored(dtype, packed, i), [i])
  }
  return first + count
}

/** Reads values that nest as `shape` says into a storage, from a position on. */
export function readNested(values: unknown, shape: Shape, type: DType, storage: Storage, start: number): void {
  const path: number[] = []
  const kind = kindOf(nestingOf(values).first)
  let position = start
  const ragged = (value: unknown, why: string): ValueError =>
    new ValueError(`ragged nesting ${at(path)}: ${why}.`, value, [...path])
  const mixed = (value: unknown, what: string): ValueError =>
    new ValueError(`mixed elements ${at(path)}: ${what} among ${kind}s; give elements of one kind.`, value, [...path])
  const read = (value: unknown, axis: number): void => {
    if (axis === shape.length && typeof value === kind) {
      if (isNoElement(value)) throw noElement(value, path)
      ;(storage as unknown[])[position++] = toStored(type, value, path)
    } else if (Array.isArray(value)) {
      if (axis === shape.length) throw ragged(value, 'an array where an element was expected, as in its neighbours')
      if (value.length !== shape[axis]) {
        throw ragged(value, `${value.length} entries where its neighbours have ${shape[axis]}`)
      }
      for (let i = 0; i < value.length; i++) {
        path.push(i)
        read(value[i], axis + 1)
        path.pop()
      }
    } else {
      const typed = typedOf(value)
      if (typed === undefined) throw misplaced(value, axis)
      const [own, expected] = [typed.layout.shape, shape.slice(axis)]
      if (!sameShape(own, expected)) {
        throw ragged(value, `shape ${formatShape(own)} where its neighbours have ${formatShape(expected)}`)
      }
      if (typed.dtype !== kind) throw mixed(value, typed.dtype)
      position = copyTyped(typed, storage, type, position)
    }
  }
  /** The error of what neither nests nor is an element of the kind that was begun with. */
  const misplaced = (value: unknown, axis: number): ValueError => {
    if (isNoElement(value)) return noElement(value, path)
    if (axis === shape.length) return mixed(value, value == null ? `${value}` : `${typeof value} ${String(value)}`)
    return ragged(value, `${String(value)} where an array of ${shape[axis]} was expected, as in its neighbours`)
  }
  read(values, 0)
}

/** Whether a value can be no element of any type: an object that is no rational. */
const isNoElement = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !('s' in value && 'n' in value && 'd' in value)

const sameShape = (a: Shape, b: Shape): boolean => a.length === b.length && a.every((size, axis) => size === b[axis])
