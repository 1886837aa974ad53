// What an operator checks before any broadcasting rule applies: the rank of a tensor that carries a shape, whether
// an input may be given at all, the matrices of Gemm. These are facts about operators, so no rule knows them.

import type { Dim, SymbolicShape } from 'bcast'
import type { Attrs, Case, ShapeTensor } from './case.ts'

/** An operator refuses its inputs; for a case this is the error it may expect. */
export class OperatorError extends Error {
  readonly code = 'OPERATOR'
  constructor(message: string) {
    super(message)
    this.name = 'OperatorError'
  }
}

export type AxesMapping = readonly (number | null)[] | null

/** The values of a 1-D tensor of which perhaps only the length is known: its entries are then unknown. */
function entries(given: ShapeTensor, what: string): readonly Dim[] | null {
  if (given === null || !('tensorShape' in given)) return given
  const { tensorShape } = given
  if (tensorShape === null) return null
  if (tensorShape.length !== 1) throw new OperatorError(`${what} is a tensor of rank ${tensorShape.length}, not 1`)
  const [length] = tensorShape
  return typeof length === 'number' ? new Array<null>(length).fill(null) : null
}

/** The target of Broadcast, Expand and broadcast_to. */
export function targetOf({ attrs, rule, inputs }: Case): SymbolicShape {
  const target = entries(attrs.targetShape ?? null, 'target_shape')
  if (attrs.axesMapping !== undefined && rule !== 'explicit') {
    throw new OperatorError('axes_mapping is given and the mode is not explicit')
  }
  const data = inputs[0]!.shape
  if (rule === 'pdpd' && data !== null && target !== null && data.length > target.length) {
    throw new OperatorError(`data of rank ${data.length} has more axes than a target of rank ${target.length}`)
  }
  return target
}

/** OpenVINO's third input, needed exactly in explicit mode. */
export function axesMappingOf({ attrs }: Case): AxesMapping {
  if (attrs.axesMapping === undefined) throw new OperatorError('explicit mode needs axes_mapping')
  const mapping = entries(attrs.axesMapping, 'axes_mapping')
  if (mapping === null) return null
  return mapping.map((axis) => {
    if (axis === null || typeof axis === 'number') return axis
    throw new OperatorError(`axes_mapping holds ${JSON.stringify(axis)}, which is no axis`)
  })
}

export interface GemmShapes {
  /** The product, which C goes onto. */
  readonly product: readonly [Dim, Dim]
  /** The two sizes that are summed over and must be equal. */
  readonly inner: readonly [Dim, Dim]
}

function matrix(shape: SymbolicShape, transposed: boolean, name: string): readonly [Dim, Dim] {
  if (shape === null) return [null, null]
  if (shape.length !== 2) throw new OperatorError(`${name} of Gemm has rank ${shape.length}, not 2`)
  const [rows, columns] = shape as readonly [Dim, Dim]
  return transposed ? [columns, rows] : [rows, columns]
}

export function gemmShapes(a: SymbolicShape, b: SymbolicShape, { transA = 0, transB = 0 }: Attrs): GemmShapes {
  const [m, innerA] = matrix(a, transA !== 0, 'A')
  const [innerB, n] = matrix(b, transB !== 0, 'B')
  return { product: [m, n], inner: [innerA, innerB] }
}
