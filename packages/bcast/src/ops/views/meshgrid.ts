// Coordinates of a grid from the coordinates of its axes: views that repeat, nothing is copied.
import type { DType } from '../../dtype/dtype.ts'
import { OperandError, wrongOperand, wrongOption } from '../../errors/index.ts'
import { formatShape, type Shape } from '../../shape/dim.ts'
import { checkOptionsOf, isOptions } from '../../shape/options.ts'
import { show } from '../../shape/show.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { checkTensors, collect } from '../arguments.ts'

/** What `meshgrid` takes behind its vectors. */
export interface MeshgridOptions {
  /** `'xy'`, as NumPy's default, has the first vector along the columns; `'ij'` along the first axis. */
  readonly indexing?: 'xy' | 'ij'
}

type Length<X> = X extends Tensor<DType, readonly [infer N extends number]> ? N : number
type Lengths<T extends readonly unknown[]> = { -readonly [I in keyof T]: Length<T[I]> }
type Swapped<S> = S extends [infer A extends number, infer B extends number, ...infer R extends Shape]
  ? [B, A, ...R]
  : S
type Vectors<T extends readonly unknown[]> = T extends readonly [
  ...infer H,
  MeshgridOptions & { readonly layout?: never },
]
  ? H
  : T
type Order<T extends readonly unknown[]> = T extends readonly [...unknown[], { readonly indexing: 'ij' }]
  ? Lengths<Vectors<T>>
  : Swapped<Lengths<Vectors<T>>>
type Grids<T extends readonly unknown[], S> = {
  -readonly [I in keyof T]: T[I] extends Tensor<infer D, Shape> ? Tensor<D, S extends Shape ? S : Shape> : never
}

/**
 * One read-only view for each vector: its elements as coordinates of the grid that all of them span.
 *
 * @example
 * ```ts
 * meshgrid(arange(3), arange(2)).map((each) => each.shape) // [[2, 3], [2, 3]]
 * ```
 */
export function meshgrid<const T extends readonly (Tensor | MeshgridOptions)[]>(
  ...args: T
): Grids<Vectors<T>, Order<T>> {
  const { operands, options } = collect(args)
  checkOptionsOf('meshgrid', options, ['indexing'])
  if (operands.some(isOptions)) {
    throw new OperandError("meshgrid takes vectors, and options behind them: meshgrid(x, y, { indexing: 'ij' }).", {
      operator: 'meshgrid',
    })
  }
  checkTensors('meshgrid', operands)
  const { indexing = 'xy' } = (options ?? {}) as MeshgridOptions
  if (indexing !== 'xy' && indexing !== 'ij') {
    throw wrongOption('meshgrid', 'indexing', `is ${show(indexing)}`, "it is 'xy' or 'ij'")
  }
  operands.forEach(({ rank, shape }, i) => {
    if (rank !== 1) throw wrongOperand('meshgrid', i, `has shape ${formatShape(shape)}`, 'it has to be a vector')
  })
  const places = operands.map((_, i) => (indexing === 'xy' && i < 2 && operands.length > 1 ? 1 - i : i))
  const shape = places.map((place) => operands[place]!.shape[0]!)
  return operands.map((vector, i) => {
    const strides = places.map((place) => (place === i ? vector.layout.strides[0]! : 0))
    return vector.viewAs({ shape, strides, offset: vector.layout.offset }, true)
  }) as never
}
