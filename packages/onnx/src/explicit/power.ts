// Pow by a constant 2 or 3. An exponent that is expanded would be read element by element, and engines that multiply
// where one exponent serves several elements (onnxruntime does) would give other bits. So the multiplication is written
// out, which needs no exponent at all; all that can be left of it is its rank.
import { constantOf } from '../dims/index.ts'
import type { Broadcast } from '../infer/context.ts'
import type { Inference } from '../infer/inference.ts'
import { countOf, numberOfScalar, sizesOf } from '../infer/known.ts'
import { changed } from '../model/build.ts'
import type { NodeProto } from '../proto/onnx_pb.ts'
import { isFull, rankOf, type Site } from './site.ts'

/** A power to be multiplied out. */
export interface Power {
  readonly exponent: 2 | 3
  /** What the base must be expanded to first: as many ones as the exponent has axes, where the base may have fewer. */
  readonly ones: readonly number[] | undefined
}

/** The exponent of one walk, where one serves several elements; the power of a single element is no product. */
function exponentOf({ frame, meeting, node }: Broadcast, inference: Inference): number | undefined {
  const known = inference.valueIn(frame, node.inputs[1]!)
  if (known.kind !== 'tensor') return undefined
  const sizes = sizesOf(known.shape)
  const isSingle = meeting.shape?.every((dim) => dim !== null && constantOf(dim) === 1n) === true
  return sizes !== undefined && countOf(sizes) === 1 && !isSingle
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
