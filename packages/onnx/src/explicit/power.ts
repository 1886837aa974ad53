// Pow by a constant 2 or 3. An exponent that is expanded would be read element by element, and engines that multiply
// where one exponent serves all (onnxruntime does) would give other bits. So the multiplication is written out, which
// needs no exponent at all.
import type { Inference } from '../infer/inference.ts'
import { countOf, numberOfScalar, sizesOf } from '../infer/known.ts'
import { changed } from '../model/build.ts'
import type { NodeProto } from '../proto/onnx_pb.ts'
import { isFull, type Site } from './site.ts'

/** The one exponent of a node whose base has the shape of the result, if it is 2 or 3 in every walk. */
export function constantPower(site: Site, inference: Inference): 2 | 3 | undefined {
  const { node, meetings } = site
  if (node.opType !== 'Pow' || node.domain !== '' || !isFull(site, 0)) return undefined
  const exponents = meetings.map(({ frame }) => {
    const known = inference.valueIn(frame, node.inputs[1]!)
    if (known.kind !== 'tensor') return undefined
    const sizes = sizesOf(known.shape)
    return sizes !== undefined && countOf(sizes) === 1 ? numberOfScalar(known.values?.[0] ?? null) : undefined
  })
  const [exponent] = exponents
  return (exponent === 2 || exponent === 3) && exponents.every((each) => each === exponent) ? exponent : undefined
}

/** The products in the place of a Pow; `square` names the value on the way to a third power. */
export function multiplied(pow: NodeProto, square: string | undefined): readonly NodeProto[] {
  const base = pow.input[0]!
  const product = changed(pow, { opType: 'Mul', input: [base, base] })
  if (square === undefined) return [product]
  return [changed(product, { name: square, output: [square] }), changed(product, { input: [square, base] })]
}
