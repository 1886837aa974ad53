// Elements of one type as another, by the library's own rounding, into ordinary memory: results of the engine stay in
// its memory until they are collected, which a loop over a file would outrun.
import { cast, fromData } from 'bcast'
import { newElements, type StoredDType, type TypedArray } from '../element.ts'

export function converted(from: StoredDType, elements: TypedArray, to: StoredDType): TypedArray {
  const shape = [elements.length]
  const out = newElements(to, elements.length)
  cast(fromData(from, elements, shape), to, { out: fromData(to, out, shape) })
  return out
}
