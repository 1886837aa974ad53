// Broadcasts that hold and are rarely meant.
import { type Dim, isEqual, isLess } from '../../dims/index.ts'
import { isLegacyName } from '../../model/elementwise-operators.ts'
import { atBroadcast, atNode, type Found, type Lint } from '../finding.ts'
import type { CheckedBroadcast } from '../verdict.ts'
import { shapeText } from '../words.ts'

/** Whether every operand is repeated on an axis that another one has for certain. */
function allStretch({ operands, shape }: CheckedBroadcast): boolean {
  const grows = (axis: number): boolean => {
    const size = shape?.at(axis)
    return size !== null && size !== undefined && isEqual(size, 1) !== true && isEqual(size, 0) !== true
  }
  return operands.length > 1 && operands.every(({ stretched, padded }) => [...stretched, ...padded].some(grows))
}

export const outerProducts: Lint = function* ({ broadcasts }) {
  for (const broadcast of broadcasts) {
    // Expand and the batches of MatMul are meant to grow.
    if (broadcast.verdict !== 'broadcast' || broadcast.rule !== 'numpy') continue
    const text = `${broadcast.operands.map(({ shape }) => shapeText(shape)).join(' with ')} gives ${shapeText(broadcast.shape)}`
    if (broadcast.meeting.explanation.warning !== undefined) {
      yield atBroadcast('outer-product', broadcast, `${text}: every element of one meets every element of the other.`)
    } else if (allStretch(broadcast)) {
      yield atBroadcast('both-stretch', broadcast, `${text}: no operand has the shape of the result.`)
    }
  }
}

const isLong = (dim: Dim | undefined): dim is Dim => dim !== undefined && isLess(1, dim) === true

/** A slope for each channel, by its length, that the standard puts on the last axis. */
function* slopeOf(broadcast: CheckedBroadcast): Generator<Found> {
  const [x, slope] = broadcast.operands
  if (x?.shape?.length === undefined || x.shape.length < 3 || slope?.shape?.length !== 1) return
  const [size] = slope.shape
  if (!isLong(size) || isEqual(size, x.shape[1]!) !== true) return
  const rest = [...x.shape.slice(2)].map(() => 1).join(',')
  const sentence = `the slope ${shapeText(slope.shape)} goes to axis -1 of X ${shapeText(x.shape)}; some engines put it on axis 1, the channels. Give it a full rank, such as (${shapeText(slope.shape).slice(1, -1)},${rest}) for the channels.`
  yield atBroadcast('prelu-ambiguous-slope', broadcast, sentence, { axis: -1, cause: 'a slope of one axis' })
}

/** A vector C beside a square product. */
function* addendOf(broadcast: CheckedBroadcast): Generator<Found> {
  const [whole, c] = broadcast.operands
  if (whole?.shape?.length !== 2 || c?.shape?.length !== 1 || !isLong(c.shape[0])) return
  if (isEqual(whole.shape[0]!, whole.shape[1]!) !== true) return
  const sentence = `C ${shapeText(c.shape)} is added to every row of the square product ${shapeText(whole.shape)}; for every column it would be (${shapeText(c.shape).slice(1, -1)},1).`
  yield atBroadcast('gemm-c-ambiguous', broadcast, sentence, { axis: -1, cause: 'a square product' })
}

export const ambiguous: Lint = function* ({ broadcasts }) {
  for (const broadcast of broadcasts) {
    const { node, verdict, rule } = broadcast
    if (rule !== 'unidirectional' || verdict === 'error' || node.domain !== '') continue
    if (node.opType === 'PRelu') yield* slopeOf(broadcast)
    if (node.opType === 'Gemm') yield* addendOf(broadcast)
  }
}

/** What the attributes of an old operator set do, and what becomes of them elsewhere. */
export const legacy: Lint = function* ({ broadcasts }) {
  for (const broadcast of broadcasts) {
    const { node, frame, rule, operands, verdict } = broadcast
    if (node.domain !== '' || !isLegacyName(node.opType)) continue
    const opset = node.scope.opsets.get('') ?? 0
    const given = ['broadcast', 'axis'].filter((name) => node.attributes.kind(name) === 'int')
    if (given.length === 0) continue
    const clause = 'ONNX operators before opset 7, attributes broadcast and axis'
    if (opset >= 7) {
      const sentence = `opset ${opset} has no attribute ${given.join(' or ')}; an engine may ignore it and align operands at the right.`
      yield atNode('ignored-attribute', { node, frame }, sentence, { clause, name: given[0] })
    } else if (verdict !== 'error' && given.length === 2 && node.attributes.bigint('broadcast') !== 0n) {
      yield atBroadcast(
        'legacy-axis',
        broadcast,
        `${rule} places B; ${loweringText(node.attributes.bigint('axis'), operands)}`,
        { clause, cause: rule },
      )
    }
  }
}

/** What a converter to opset 7 has to do, and where a known one goes wrong. */
function loweringText(axis: bigint, [a, b]: CheckedBroadcast['operands']): string {
  if (!a?.shape || !b?.shape) return 'opset 7 and later need trailing ones in the shape of B instead.'
  const missing = a.shape.length - Number(axis) - b.shape.length
  if (missing <= 0) return 'opset 7 and later place it the same without the attributes.'
  const lowered = shapeText([...b.shape]).slice(0, -1) + ',1'.repeat(missing)
  const warning = axis === 0n ? '' : " ONNX's own version converter gets this wrong."
  return `opset 7 and later need B as ${lowered}) instead.${warning}`
}
