// Attention of onnxruntime (domain com.microsoft): projections inside the operator, packed operands, caches of keys and
// values whose length the past and the present make together.
import { add, constant, type Dim, type DimShape, floorDiv, mul } from '../../dims/index.ts'
import type { Call } from '../call.ts'
import { type Known, tensor } from '../known.ts'
import type { Row } from '../row.ts'

const MICROSOFT = 'com.microsoft'

function headCount(call: Call, attribute: string): number {
  const heads = call.attributes.int(attribute)
  return heads > 0 ? heads : call.fail(`${attribute} is ${heads}.`)
}

/** The hidden size of the values: an attribute, or a third of what the merged projections have. */
function projected(call: Call): Dim {
  const sizes = call.attributes.ints('qkv_hidden_sizes', [])
  if (sizes.length === 3) return constant(sizes[2]!)
  const merged = call.ranked(1, 2, 2)?.[1] ?? (call.has(2) ? call.ranked(2, 1, 1)?.[0] : undefined)
  return merged === undefined ? call.fresh('hidden') : floorDiv(merged, 3)
}

/** Keys and values in one tensor: (2, batch, heads, length, size). */
function cache(call: Call, pastIndex: number, data: DimShape, hidden: Dim): DimShape {
  const past = call.has(pastIndex) ? call.ranked(pastIndex, 5, 5) : undefined
  if (call.attributes.int('past_present_share_buffer', 0) !== 0) return past ?? null
  const heads = headCount(call, 'num_heads')
  const known = data !== null && past !== null
  const length = known ? (past === undefined ? data[1]! : add(past[3]!, data[1]!)) : call.fresh('length')
  const size = call.attributes.ints('qkv_hidden_sizes', []).length === 3 ? past?.[4] : floorDiv(hidden, heads)
  return [constant(2), data?.[0] ?? call.fresh('batch'), constant(heads), length, size ?? call.fresh('size')]
}

const merged =
  (pastIndex: number, element: (call: Call) => ReturnType<Call['element']>): Row['infer'] =>
  (call) => {
    const data = call.ranked(0, 3, 3)
    const hidden = projected(call)
    const shape = [data?.[0] ?? call.fresh('batch'), data?.[1] ?? call.fresh('length'), hidden]
    return [tensor(element(call), shape), tensor(element(call), cache(call, pastIndex, data, hidden))]
  }

/** Keys, or values: (batch, length, hidden), per head (batch, heads, length, size), or both packed, of rank 5. */
function operandLength(shape: DimShape | undefined): Dim | undefined {
  if (shape === null || shape === undefined) return undefined
  return shape.length === 4 ? shape[2] : shape[1]
}

/** The hidden size of the values; undefined where no rank tells it. */
function valueSize(query: DimShape, key: DimShape | undefined, value: DimShape | undefined): Dim | undefined {
  if (query?.length === 5) return mul(query[2]!, query[4]!)
  if (value?.length === 3) return value[2]
  if (value?.length === 4) return mul(value[1]!, value[3]!)
  return key?.length === 5 ? query?.[2] : undefined
}

/** Present keys or values: the past and the new ones, unless both share one buffer. */
function grown(call: Call, pastIndex: number, batch: Dim, heads: number, now: Dim | undefined, size: Dim): Known {
  const past = call.has(pastIndex) ? call.ranked(pastIndex, 4, 4) : undefined
  const shared = call.has(8)
  const known = now !== undefined && past !== null && !shared
  const length = known ? (past === undefined ? now : add(past[2]!, now)) : call.fresh('length')
  return tensor(call.element(0), [batch, constant(heads), length, size])
}

const multiHead: Row['infer'] = (call) => {
  const element = call.element(0)
  const heads = headCount(call, 'num_heads')
  const query = call.ranked(0, 3, 5)
  const [key, value] = [call.optional(1)?.shape, call.optional(2)?.shape]
  const batch = query?.[0] ?? call.fresh('batch')
  const hidden = valueSize(query, key, value) ?? call.fresh('hidden')
  const now = operandLength(key) ?? (call.has(1) ? undefined : query?.[1])
  const keySize = query?.length === 3 ? floorDiv(query[2]!, heads) : (query?.[4] ?? call.fresh('size'))
  return [
    tensor(element, [batch, query?.[1] ?? call.fresh('length'), hidden]),
    grown(call, 6, batch, heads, now, keySize),
    grown(call, 7, batch, heads, now, floorDiv(hidden, heads)),
    tensor(element, [batch, constant(heads), query?.[1] ?? call.fresh('length'), call.fresh('total')]),
  ]
}

/** Several heads of queries share one of keys; how long the cache becomes, an input tells. */
const groupQuery: Row['infer'] = (call) => {
  const [heads, shared] = [headCount(call, 'num_heads'), headCount(call, 'kv_num_heads')]
  const query = call.ranked(0, 3, 3)
  const parts = call.has(1) ? heads : heads + 2 * shared
  const size = query === null ? call.fresh('size') : floorDiv(query[2]!, parts)
  const batch = query?.[0] ?? call.fresh('batch')
  const cached = (i: number): Known =>
    tensor(call.optional(i)?.element ?? call.element(0), [batch, constant(shared), call.fresh('length'), size])
  const hidden = query !== null && call.has(1) ? query[2]! : mul(size, heads)
  return [tensor(call.element(0), [batch, query?.[1] ?? call.fresh('length'), hidden]), cached(3), cached(4)]
}

export const contribAttentionRows: readonly Row[] = [
  { domain: MICROSOFT, name: 'Attention', infer: merged(4, (call) => call.element(0)) },
  { domain: MICROSOFT, name: 'QAttention', infer: merged(8, (call) => call.element(2)) },
  { domain: MICROSOFT, name: 'MultiHeadAttention', infer: multiHead },
  { domain: MICROSOFT, name: 'GroupQueryAttention', infer: groupQuery },
]
