// Scaled dot-product attention: heads are an axis of their own in four dimensions, packed into the last in three.
import { add, constant, type Dim, type DimShape, floorDiv, mul } from '../../dims/index.ts'
import type { Call } from '../call.ts'
import { type Known, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** An operand with its heads unpacked: (batch, heads, length, size). */
interface Heads {
  readonly batch: Dim
  readonly heads: Dim
  readonly length: Dim
  readonly size: Dim
}

/** Undefined where the rank of the input is not known. */
function headsOf(call: Call, i: number, count: string): Heads | undefined {
  const shape = call.ranked(i, 3, 4)
  if (shape === null) return undefined
  if (shape.length === 4) {
    const [batch, heads, length, size] = shape as [Dim, Dim, Dim, Dim]
    return { batch, heads, length, size }
  }
  const heads = call.attributes.int(count)
  if (heads <= 0) return call.fail(`${count} is ${heads}.`)
  const [batch, length, hidden] = shape as [Dim, Dim, Dim]
  return { batch, heads: constant(heads), length, size: floorDiv(hidden, heads) }
}

/** What was computed before and what comes now, along the sequence. */
function present(call: Call, i: number, now: Heads | undefined): { readonly shape: DimShape; readonly total: Dim } {
  const past = call.has(i) ? call.ranked(i, 4, 4) : undefined
  const known = now !== undefined && past !== null
  const total = known ? (past === undefined ? now.length : add(past[2]!, now.length)) : call.fresh('length')
  if (now === undefined) return { shape: call.freshShape(4, (axis) => (axis === 2 ? total : past?.[axis])), total }
  return { shape: [now.batch, now.heads, total, now.size], total }
}

function attended(call: Call): readonly Known[] {
  const element = call.element(0)
  const queries = headsOf(call, 0, 'q_num_heads')
  const [keys, values] = [headsOf(call, 1, 'kv_num_heads'), headsOf(call, 2, 'kv_num_heads')]
  if (keys !== undefined && values !== undefined) {
    call.learn(keys.length, values.length, () => 'keys and values have different lengths.')
  }
  const [allKeys, allValues] = [present(call, 4, keys), present(call, 5, values)]
  const outputs = [
    tensor(call.optional(4)?.element ?? call.element(1), allKeys.shape),
    tensor(call.optional(5)?.element ?? call.element(2), allValues.shape),
  ]
  if (queries === undefined) return [tensor(element, null), ...outputs, tensor(element, call.freshShape(4))]
  const { batch, heads, length } = queries
  const size = values?.size ?? call.fresh('size')
  const packed = call.shape(0)!.length === 3
  return [
    tensor(element, packed ? [batch, length, mul(heads, size)] : [batch, heads, length, size]),
    ...outputs,
    tensor(element, [batch, heads, length, allKeys.total]),
  ]
}

const attention: Row = { name: 'Attention', since: 23, infer: attended }

/** With graphs that change scores and probabilities, element by element as far as shapes go. */
const flexAttention: Row = {
  domain: 'ai.onnx.preview',
  name: 'FlexAttention',
  infer: (call) => {
    const [queries, values] = [call.ranked(0, 4, 4), call.ranked(2, 4, 4)]
    return [
      tensor(
        call.element(0),
        call.freshShape(4, (axis) => (axis === 3 ? values : queries)?.[axis]),
      ),
    ]
  },
}

export const attentionRows: readonly Row[] = [attention, flexAttention]
