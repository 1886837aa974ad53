// Losses, detection, and single operators that belong to no family: what comes out is one number, or what data decides.
import { constant, constantOf, type DimShape, isEqual } from '../../dims/index.ts'
import type { Call } from '../call.ts'
import { tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** One number, or one for each label. */
function lossShape(call: Call): DimShape {
  const [scores, labels] = [call.ranked(0, 2), call.ranked(1, 1)]
  if (scores !== null && labels !== null) {
    if (labels.length !== scores.length - 1) {
      return call.fail(`scores of rank ${scores.length} meet labels of rank ${labels.length}.`)
    }
    for (const [axis, dim] of labels.entries()) {
      const other = scores[axis === 0 ? 0 : axis + 1]!
      call.learn(dim, other, () => `scores and labels have different sizes on axis ${axis} of the labels.`)
    }
  }
  if (call.attributes.string('reduction', 'mean') !== 'none') return []
  return labels ?? (scores && [scores[0]!, ...scores.slice(2)])
}

/** The logarithms of the probabilities come second. */
const softmaxCrossEntropyLoss: Row = {
  name: 'SoftmaxCrossEntropyLoss',
  since: 12,
  infer: (call) => [tensor(call.element(0), lossShape(call)), tensor(call.element(0), call.shape(0))],
}

const negativeLogLikelihoodLoss: Row = {
  name: 'NegativeLogLikelihoodLoss',
  since: 12,
  infer: (call) => [tensor(call.element(0), lossShape(call))],
}

/** The most boxes that can be kept: for every batch and class as many as allowed, or as there are. */
function mostBoxes(call: Call, boxes: DimShape, scores: DimShape): bigint | null {
  const allowed = call.has(2) ? call.numbers(2)?.[0] : 0
  const sizes = [scores?.[0], scores?.[1], boxes?.[1]].map((dim) => (dim === undefined ? undefined : constantOf(dim)))
  const [batches, classes, count] = sizes
  if (allowed !== undefined && allowed <= 0) return 0n
  if (batches === undefined || classes === undefined || count === undefined) return null
  const each = allowed === undefined || BigInt(Math.trunc(allowed)) > count ? count : BigInt(Math.trunc(allowed))
  return batches * classes * each
}

/** Boxes (batch, box, 4) and scores (batch, class, box) to triples of indices, as many as overlap little enough. */
const nonMaxSuppression: Row = {
  name: 'NonMaxSuppression',
  since: 10,
  infer: (call) => {
    const [boxes, scores] = [call.ranked(0, 3, 3), call.ranked(1, 3, 3)]
    if (boxes !== null && isEqual(boxes[2]!, 4) === false) return call.fail('boxes do not have 4 numbers each.')
    if (boxes !== null && scores !== null) {
      call.learn(boxes[0]!, scores[0]!, () => 'boxes and scores have different batches.')
      call.learn(boxes[1]!, scores[2]!, () => 'there are not as many scores as boxes.')
    }
    const most = mostBoxes(call, boxes, scores)
    const kept = most === 0n ? constant(0) : call.fresh('kept', { min: 0, max: most })
    return [tensor('int64', [kept, constant(3)])]
  },
}

export const lossRows: readonly Row[] = [softmaxCrossEntropyLoss, negativeLogLikelihoodLoss, nonMaxSuppression]
