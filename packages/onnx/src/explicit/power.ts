// Pow by a constant 2 or 3. An exponent that is expanded would be read element by element, and engines that multiply
// where one exponent serves a run of elements (onnxruntime does) would give other bits. So the multiplication is written
// out, which needs no exponent at all; all that can be left of it is its rank.
import { isEqual } from '../dims/index.ts'
import type { Broadcast } from '../infer/context.ts'
import type { Inference } from '../infer/inference.ts'
import { numberOfScalar, sizesOf } from '../infer/known.ts'
import { changed } from '../model/build.ts'
import { countOf } from '../model/row-major.ts'
import type { NodeProto } from '../proto/onnx_pb.ts'
import { isFull, rankOf, type Site } from './site.ts'

/** A power to be multiplied out. */
export interface Power {
  readonly exponent: 2 | 3
  /** What the base must be expanded to first: as many ones as the exponent has axes, where the base may have fewer. */
  readonly ones: readonly number[] | undefined
}

/**
 * Whether each power is computed on its own, for certain. The run of elements that an exponent serves lies along the
 * first axis from the right that is not 1, of those that both operands have; for a scalar, along the last axis of the
 * base. Where the base is 1 on all of these, onnxruntime calls `pow` for each element, however many there are.
 */
function isElementwise({ operands: [base, exponent] }: Broadcast): boolean {
  const common = Math.max(1, exponent!.shape?.length ?? 0)
  return base!.shape?.slice(-common).every((dim) => isEqual(dim, 1) === true) === true
}

/** The exponent of one walk, where one may serve a run of elements. */
function exponentOf(broadcast: Broadcast, inference: Inference): number | undefined {
  const known = inference.valueIn(broadcast.frame, broadcast.node.inputs[1]!)
  if (known.kind !== 'tensor') return undefined
  const sizes = sizesOf(known.shape)
  return sizes !== undefined && countOf(sizes) === 1 && !isElementwise(broadcast)
    ? numberOfScalar(known.values?.[0] ?? null)
    : undefined
}

/** The one exponent of a node, if it is 2 or 3 in every walk. */
export function constantPower(site: Site, inference: Inference): Power | undefined {
  const { node, meetings } = site
  if (node.opType !== 'Pow' || node.domain !== '') return undefined
  const [exponent, ...others] = meetings.map((meeting) => exponentOf(meeting, inference))
  const rank = rankOf(site, 1)
  if ((exponent !== 2 && exponent !== 3) || others.some((each) => each !== exponent) || rank === undefined) {
    return undefined
  }
  return { exponent, ones: rank === 0 || isFull(site, 0) ? undefined : new Array<number>(rank).fill(1) }
}

/** The products in the place of a Pow; `square` names the value on the way to a third power. */
export function multiplied(pow: NodeProto, base: string, square: string | undefined): readonly NodeProto[] {
  const product = changed(pow, { opType: 'Mul', input: [base, base] })
  if (square === undefined) return [product]
  return [changed(product, { name: square, output: [square] }), changed(product, { input: [square, base] })]
}
