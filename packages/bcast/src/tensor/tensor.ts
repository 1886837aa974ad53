// A tensor: element type, layout, storage. Views share storage and cost nothing; those made by broadcasting, and views
// of them, are read-only. Operators are functions of ops/, not methods, so that a bundle holds only what it uses.
import { type DType, type Element, makeStorage, type Storage, type StorageOf } from '../dtype/dtype.ts'
import { fromStored } from '../dtype/element.ts'
import type { Real } from '../dtype/real.ts'
import { formatReal } from '../dtype/real-convert.ts'
import { DisposedError, IndexError, ShapeError } from '../errors/index.ts'
import { checkShape, elementCount, formatShape, type Shape } from '../shape/dim.ts'
import type { UnidirectionalRule } from '../shape/rules/index.ts'
import { unidirectional } from '../shape/rules/index.ts'
import type { Broadcast, ResultShape } from '../shape/types/broadcast.ts'
import type { FitsIndex, FitsRanges, FitsReshape, GivenSizes, Reshaped, SizesIn } from './checked-types.ts'
import { elementsOf, type PlainElement, plainElement } from './elements.ts'
import { addHints } from './hints.ts'
import {
  isRowMajor,
  type Layout,
  normalIndex,
  type Range,
  respelled,
  rowMajor,
  sliced,
  spread,
  transposed,
} from './layout.ts'
import { pack } from './pack.ts'
import { partOf } from './parts.ts'
import { checkReach } from './placed.ts'
import { printElements } from './print.ts'
import { resolveOrThrow } from './resolve.ts'
import type { NestedElements, Reversed, Sliced, Transposed } from './types.ts'
import { letUsingHold, type Using } from './using.ts'

/** Memory that a tensor and its views share: it goes back at once when the last of them is disposed. */
interface Shared {
  users: number
  /** Undefined from when `data` was handed out: then only the collector knows when nobody uses it. */
  release: (() => void) | undefined
}

/** A tensor as JSON has it; `fromJSON` makes a tensor of it again. */
export interface TensorJSON<D extends DType = DType, S extends Shape = Shape> {
  readonly dtype: D
  readonly shape: S
  readonly data: readonly PlainElement[]
}

/**
 * Elements of one type in a shape. Views share elements and cost nothing; operators are functions, such as `add`.
 *
 * @example
 * ```ts
 * tensor([[1, 2], [3, 4]]).transpose().get(0, 1) // 3
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the method of `using` is there wherever its name is
export class Tensor<out D extends DType = DType, out S extends Shape = Shape> {
  readonly dtype: D
  readonly shape: S
  /** @internal What comparisons see of the elements; `get`, `data` and `toArray` read them. */
  readonly elements: object
  // Where elements lie is no part of what a tensor is: a view may equal a tensor of its own.
  readonly #layout: Layout
  readonly #readOnly: boolean
  #storage: Storage | undefined
  /** What gives the memory back: of this tensor alone, or shared with views. */
  #release: (() => void) | Shared | undefined

  /** @internal Tensors are made by `tensor`, `fromData`, views and operators. */
  constructor(dtype: D, layout: Layout, storage: Storage, release?: (() => void) | Shared, readOnly = false) {
    this.dtype = dtype
    this.shape = layout.shape as S
    this.elements = elementsOf(this)
    this.#layout = layout
    this.#readOnly = readOnly
    this.#storage = storage
    this.#release = release
  }

  /** Another tensor over the same elements, which stay until this one and all its views are disposed. */
  view(...others: readonly never[]): Tensor<D, S> {
    if (others.length > 0) {
      throw new ShapeError(
        'x.view takes nothing: x.reshape(…) gives another shape, and asStrided(x, …) strides of your own.',
        this.shape,
      )
    }
    return this.viewAs(this.layout) as Tensor<D, S>
  }

  /** @internal The same under another layout, which is not checked; `asStrided` checks. */
  viewAs(layout: Layout, readOnly: boolean = this.readOnly): Tensor<D> {
    const storage = this.#storage
    if (storage === undefined) throw disposed(this)
    if (typeof this.#release === 'function') this.#release = { users: 1, release: this.#release }
    if (this.#release !== undefined) this.#release.users++
    // A view of a tensor without elements of its own has none either.
    return new (this.constructor as typeof Tensor)(this.dtype, layout, storage, this.#release, readOnly)
  }

  /** Strides and offset into the storage. */
  get layout(): Layout {
    return this.#layout
  }

  /** Whether it came from broadcasting: several positions may be one element, so no result is written into it. */
  get readOnly(): boolean {
    return this.#readOnly
  }

  get rank(): number {
    return this.shape.length
  }

  /** Whether the elements lie one after another in row-major order, as `data` gives them. */
  get isRowMajor(): boolean {
    return isRowMajor(this.layout)
  }

  /** Number of elements. */
  get size(): number {
    return elementCount(this.shape)
  }

  /** @internal The elements as they lie; throws after dispose(). */
  get storage(): Storage {
    if (this.#storage === undefined) throw disposed(this)
    return this.#storage
  }

  /** The storage, once it is sure to hold every element. */
  get #elements(): Storage {
    const { storage, layout } = this
    checkReach(layout.shape, { storage, offset: layout.offset, strides: layout.strides })
    return storage
  }

  /**
   * The elements in row-major order: the storage itself where the layout allows, else a packed copy. What is written to
   * the copy of a view reaches no tensor, and an array of numbers cannot be made to refuse it: write with `{ out }`.
   */
  get data(): StorageOf<D> {
    const { layout, size } = this
    const storage = this.#elements
    const whole = storage.length === size && (layout.offset === 0 || size === 0)
    if (!isRowMajor(layout) || (Array.isArray(storage) && !whole)) {
      return pack(layout, storage, makeStorage(this.dtype, size)) as StorageOf<D>
    }
    if (typeof this.#release === 'object') this.#release.release = undefined
    this.#release = undefined
    if (whole || Array.isArray(storage)) return storage as StorageOf<D>
    return partOf(storage, layout.offset, layout.offset + size) as StorageOf<D>
  }

  /** One element; indices count from the end when negative. */
  get<A extends Shape, const I extends readonly number[], Gate = unknown>(
    this: Tensor<D, A>,
    ...given: FitsIndex<A, I, Gate>
  ): Element<D> {
    const index = given as readonly number[]
    const storage = this.#elements
    const { shape, strides, offset } = this.layout
    if (index.length !== shape.length) {
      throw new IndexError(
        `get(${index.join(', ')}) of shape ${formatShape(shape)}: give ${shape.length} indices, not ${index.length}.`,
        { value: index, size: shape.length },
      )
    }
    const position = index.reduce((sum, i, axis) => sum + normalIndex(i, shape[axis]!, axis) * strides[axis]!, offset)
    return fromStored(this.dtype, storage, position) as Element<D>
  }

  /** The only element of a tensor of one, whatever its rank. */
  item(): Element<D> {
    const storage = this.#elements
    if (this.size === 1) return fromStored(this.dtype, storage, this.layout.offset) as Element<D>
    throw new ShapeError(`item() of shape ${formatShape(this.shape)}: it has ${this.size} elements, not 1.`, this.shape)
  }

  /** A view at an index of the first axes, which are gone from it; indices count from the end when negative. */
  at<A extends Shape, const I extends readonly number[], Gate = unknown>(
    this: Tensor<D, A>,
    ...index: FitsRanges<A, I, Gate>
  ): Tensor<D, Sliced<A, I>> {
    // What is no number would be a range of a slice, or a text that looks like one.
    const { shape } = this
    const numbers = (index as readonly number[]).map((i, axis) =>
      axis < shape.length ? normalIndex(i, shape[axis]!, axis) : i,
    )
    return this.viewAs(sliced(this.layout, numbers)) as Tensor<D, Sliced<A, I>>
  }

  /** The axes in reverse order; `transpose()` is the same and keeps a literal shape for the compiler. */
  get T(): Tensor<D> {
    return this.transpose() as Tensor<D>
  }

  /** Views of what lies at each index of the first axis; those of a vector are scalars, and a scalar has none. */
  *[Symbol.iterator](): Generator<Tensor<D>> {
    for (let i = 0; i < this.shape[0]!; i++) yield this.at(i) as Tensor<D>
  }

  /** Nested arrays of elements; a scalar gives the element. */
  toArray(): NestedElements<D> {
    const { dtype } = this
    const storage = this.#elements
    const { shape, strides, offset } = this.layout
    const nest = (axis: number, position: number): unknown =>
      axis === shape.length
        ? fromStored(dtype, storage, position)
        : Array.from({ length: shape[axis]! }, (_, i) => nest(axis + 1, position + i * strides[axis]!))
    return nest(0, offset) as NestedElements<D>
  }

  /** Type, shape and elements in row-major order, as JSON writes them exactly: int64 and what is no finite number as text. */
  toJSON(): TensorJSON<D, S> {
    const { dtype, layout, size } = this
    const packed = pack(layout, this.#elements, makeStorage(dtype, size))
    const data = Array.from({ length: size }, (_, i) => plainElement(dtype, packed, i))
    return { dtype, shape: [...this.shape] as unknown as S, data }
  }

  /** The same elements in another shape; one size may be -1. Copies only where no layout can say it. */
  reshape<A extends Shape, const G extends GivenSizes, Gate = unknown>(
    this: Tensor<D, A>,
    ...shape: FitsReshape<A, G, Gate>
  ): Tensor<D, Reshaped<A, SizesIn<G>>> {
    const target = completed(flatShape(shape as Shape), this.shape)
    const layout = respelled(this.layout, target)
    const made = layout === undefined ? new Tensor(this.dtype, rowMajor(target), this.data) : this.viewAs(layout)
    return made as Tensor<D, Reshaped<A, SizesIn<G>>>
  }

  /** Axes in another order: the new axis i is the old axis `order[i]`; reversed when none is given. */
  transpose<A extends Shape>(this: Tensor<D, A>): Tensor<D, Reversed<A>>
  transpose<A extends Shape, const O extends Shape>(
    this: Tensor<D, A>,
    ...order: O | readonly [O]
  ): Tensor<D, Transposed<A, O>>
  transpose(...order: readonly number[] | readonly [readonly number[]]): Tensor<D> {
    const axes = order.length === 0 ? this.shape.map((_, i) => this.rank - 1 - i) : flatShape(order)
    return this.viewAs(transposed(this.layout, axes))
  }

  /** Part of each axis: `[start, stop, step]` (steps may be negative), `null` for all, a number to pick and drop. */
  slice<A extends Shape, const R extends readonly Range[], Gate = unknown>(
    this: Tensor<D, A>,
    ...ranges: FitsRanges<A, R, Gate>
  ): Tensor<D, Sliced<A, R>> {
    return this.viewAs(sliced(this.layout, ranges as readonly Range[])) as Tensor<D, Sliced<A, R>>
  }

  /** A read-only view of the given shape, as NumPy's broadcast_to. */
  broadcastTo<A extends Shape, const T extends Shape>(
    this: Tensor<D, A>,
    shape: Broadcast<[T, A], UnidirectionalRule, T> extends infer Out ? (Out extends string ? Out : T) : never,
    ...others: readonly never[]
  ): Tensor<D, ResultShape<Broadcast<[T, A], UnidirectionalRule, T>>> {
    const target = shape as Shape
    if (others.length > 0) {
      throw new ShapeError(
        'x.broadcastTo takes a shape alone; a rule is for broadcastTo(x, shape, { broadcast }).',
        target,
      )
    }
    checkShape(target)
    const met = resolveOrThrow(unidirectional, [target, this.shape])
    return this.viewAs(spread(this.layout, met.shape, met.axes[1]!), true) as never
  }

  /** Gives the storage back, if no view uses it; any later use of this tensor is an error. Views stay valid. */
  dispose(): void {
    const release = this.#release
    if (typeof release === 'function') release()
    else if (release !== undefined && --release.users === 0) release.release?.()
    this.#release = undefined
    this.#storage = undefined
  }

  /** As NumPy prints it; from type, shape and `get`, so that it serves whatever has those. */
  toString(): string {
    // Where no element is asked for, a tensor that was given back still has to say so.
    void this.storage
    const exact = this.dtype === 'real'
    return printElements(this.dtype, this.shape, (index) => {
      const element = this.get(...index)
      return exact ? formatReal(element as unknown as Real) : element
    })
  }
}

// biome-ignore lint/correctness/noUnusedVariables: an interface beside a class names what the class names
export interface Tensor<out D extends DType = DType, out S extends Shape = Shape> extends Using {}
letUsingHold(Tensor)

const disposed = ({ dtype, shape }: Tensor): DisposedError =>
  new DisposedError(`this ${dtype} tensor of shape ${formatShape(shape)} was disposed; make a new one.`)

/** What a console shows: it must not fail where somebody looks for what went wrong. */
function inspected(tensor: Tensor): string {
  const head = `${tensor.dtype} ${formatShape(tensor.shape)}`
  try {
    return tensor.rank === 0 ? `${head} ${tensor}` : `${head}\n${tensor}`
  } catch (error) {
    return error instanceof DisposedError ? `${head} disposed` : `${head}: ${(error as Error).message}`
  }
}

addHints(Tensor.prototype)

// Node's console shows type, shape and elements instead of the fields.
Object.defineProperty(Tensor.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  value(this: Tensor): string {
    return inspected(this)
  },
})

const flatShape = (given: readonly number[] | readonly [readonly number[]]): readonly number[] =>
  Array.isArray(given[0]) ? given[0] : (given as readonly number[])

/** A target shape with its -1, if any, worked out; throws when the element counts differ. */
function completed(target: Shape, shape: Shape): Shape {
  const count = elementCount(shape)
  const open = target.indexOf(-1)
  const others = target.filter((_, axis) => axis !== open)
  checkShape(open < 0 ? target : others, 'reshape to')
  const product = elementCount(others)
  const missing = product === 0 ? Number.NaN : count / product
  const full = open < 0 ? [...target] : target.with(open, missing)
  if (open >= 0 && product === 0 && count === 0) {
    throw new ShapeError(
      `cannot reshape ${formatShape(shape)} to ${formatShape(target)}: beside a size of 0, -1 could be any size; say which.`,
      target,
    )
  }
  if ((open >= 0 && !Number.isInteger(missing)) || elementCount(full) !== count) {
    throw new ShapeError(
      `cannot reshape ${formatShape(shape)} (${count} elements) to ${formatShape(target)}: the numbers of elements differ.`,
      target,
    )
  }
  return full
}
