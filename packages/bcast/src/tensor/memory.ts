// Where the elements of a new tensor lie: in the memory of whatever computes, which brings it. Programs that compute
// nothing carry no engine, and their elements lie in ordinary arrays.
import { bitsOf, type DType, makeStorage, type Storage } from '../dtype/dtype.ts'
import { EngineError } from '../errors/index.ts'
import { elementCount, formatShape, type Shape } from '../shape/dim.ts'

/** Memory for elements. */
export interface Allocation {
  readonly storage: Storage
  /** Position of the first element. */
  readonly offset: number
  /** Gives the memory back at once; absent where only the collector can. */
  readonly release?: () => void
}

let allocate = (dtype: DType, count: number): Allocation => ({ storage: makeStorage(dtype, count), offset: 0 })

export function provideMemory(allocation: typeof allocate): void {
  allocate = allocation
}

/** Room for the elements of a shape, whatever they hold. */
export function roomFor(dtype: DType, shape: Shape): Allocation {
  try {
    return allocate(dtype, elementCount(shape))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const size = elementCount(shape) * Math.max(1, bitsOf(dtype) / 8)
    throw new EngineError(
      `there is no memory for a ${dtype} tensor of shape ${formatShape(shape)}, ${size} bytes. Compute it in parts, or keep the broadcast as a view.`,
    )
  }
}
