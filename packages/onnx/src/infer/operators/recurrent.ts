// Recurrent networks: RNN, GRU and LSTM, and the attention that works like one.
import { constant, type Dim, floorDiv, mul } from '../../dims/index.ts'
import { backwardOf, hiddenSize, isBatchFirst } from '../attributes/forms.ts'
import type { Call } from '../call.ts'
import { type Known, tensor } from '../known.ts'
import type { Row } from '../row.ts'

/** The hidden size is an attribute; the recurrence weights (directions, gates * hidden, hidden) tell it too. */
function hiddenOf(call: Call, axis: number): Dim {
  const said = hiddenSize(call)
  const held = call.ranked(2, 3, 3)?.[axis]
  if (said !== undefined && held !== undefined) {
    call.learn(held, said, () => 'the recurrence weights have another hidden size.')
  }
  return said === undefined ? (held ?? call.fresh('hidden')) : constant(said)
}

/** Every hidden state, the last one, and for LSTM the last cell; with layout 1 the batch comes first. */
export const inferRecurrent =
  (states: number, hiddenAxis = 2): Row['infer'] =>
  (call) => {
    const { element } = call.tensor(0)
    const data = call.ranked(0, 3, 3)
    const [count, hidden] = [constant(backwardOf(call).length), hiddenOf(call, hiddenAxis)]
    const batchFirst = isBatchFirst(call)
    const [length, batch] = batchFirst ? [data?.[1], data?.[0]] : [data?.[0], data?.[1]]
    const [steps, rows] = [length ?? call.fresh('length'), batch ?? call.fresh('batch')]
    const last = tensor(element, batchFirst ? [rows, count, hidden] : [count, rows, hidden])
    const all = tensor(element, batchFirst ? [rows, steps, count, hidden] : [steps, count, rows, hidden])
    return [all, ...new Array<Known>(states).fill(last)]
  }

const networks: readonly Row[] = [
  { name: 'RNN', infer: inferRecurrent(1) },
  { name: 'GRU', infer: inferRecurrent(1) },
  { name: 'LSTM', infer: inferRecurrent(2) },
]

/** Heads are packed into the last axis; the state is (batch, heads, key size, value size). */
const linearAttention: Row = {
  name: 'LinearAttention',
  since: 27,
  infer: (call) => {
    const { element } = call.tensor(0)
    const [queries, keys, values] = [call.ranked(0, 3, 3), call.ranked(1, 3, 3), call.ranked(2, 3, 3)]
    const [heads, shared] = [call.attributes.int('q_num_heads'), call.attributes.int('kv_num_heads')]
    if (heads <= 0 || shared <= 0) return call.fail(`there are ${heads} heads of queries and ${shared} of keys.`)
    const keySize = queries ? floorDiv(queries[2]!, heads) : keys ? floorDiv(keys[2]!, shared) : call.fresh('key')
    const valueSize = values ? floorDiv(values[2]!, shared) : call.fresh('value')
    const batch = queries?.[0] ?? call.fresh('batch')
    const state = [batch, constant(shared), keySize, valueSize]
    return [
      tensor(element, [batch, queries?.[1] ?? call.fresh('length'), mul(valueSize, heads)]),
      tensor(call.optional(3)?.element ?? element, state),
    ]
  },
}

export const recurrentRows: readonly Row[] = [...networks, linearAttention]
