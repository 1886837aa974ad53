// The sets of element types that rows are written in, and the check that a node's inputs have one of them.
import { type DType, DTypeError, dtypeInfo, dtypes, type Tensor } from 'bcast'
import type { Row, TypesByOpset } from './row.ts'
import type { NodeUse } from './use.ts'

const BFLOAT16: DType = 'bfloat16'
const integers = dtypes.filter((dtype) => dtypeInfo(dtype).isInteger)

/** Floats but for bfloat16, which came later. */
export const F3: readonly DType[] = dtypes.filter((dtype) => dtypeInfo(dtype).isFloat && dtype !== BFLOAT16)
export const F4: readonly DType[] = [...F3, BFLOAT16]
/** Integers of 32 and 64 bits. */
export const I4: readonly DType[] = integers.filter((dtype) => dtypeInfo(dtype).bits >= 32)
const I8: readonly DType[] = integers
const ALL: readonly DType[] = [...I8, ...F3, 'bool', 'string']

/** Operators that only move elements take every type. */
export const MOVED: TypesByOpset = [
  [1, ALL],
  [13, [...ALL, 'bfloat16']],
]
/** The same of those that took floats alone at first. */
export const moved = (since: number): TypesByOpset => [[1, F3], [since, ALL], ...MOVED.slice(1)]
/** Pad took numbers before it took everything. */
export const PADDED: TypesByOpset = [[1, F3], [11, [...I8, ...F3]], ...MOVED.slice(1)]
/** Of functions on floats that took bfloat16 at some opset. */
export const floats = (bfloat16Since: number): TypesByOpset => [
  [1, F3],
  [bfloat16Since, F4],
]
export const NUMERIC: TypesByOpset = [[1, [...I8, ...F3]]]
/** Reductions, from wide integers and floats. */
export const REDUCED: TypesByOpset = [
  [1, [...F3, ...I4]],
  [13, [...F4, ...I4]],
]
/** Reductions that choose an element take bytes, and at last truth values. */
export const CHOSEN: TypesByOpset = [
  [1, [...F3, ...I4]],
  [12, [...F3, ...I4, 'int8', 'uint8']],
  [13, [...F4, ...I4, 'int8', 'uint8']],
  [20, [...F4, ...I4, 'int8', 'uint8', 'bool']],
]
export const MULTIPLIED: TypesByOpset = [
  [1, F3],
  [9, [...F3, ...I4]],
  [13, [...F4, ...I4]],
]
/** Places of extremes. */
export const ORDERED: TypesByOpset = [
  [1, [...I8, ...F3]],
  [13, [...I8, ...F4]],
]
export const COUNTED: TypesByOpset = [[1, ['float32', 'float64', 'int16', 'int32', 'int64']]]

interface TypeRule {
  readonly allowed: readonly DType[]
  readonly speaksOf: (input: number) => boolean
}

function rulesOf(row: Row, opset: number): readonly TypeRule[] {
  if (row.types !== undefined) {
    const allowed = row.types.findLast(([since]) => since <= opset)?.[1] ?? []
    const typed = row.kind === 'elementwise' ? 'all' : (row.typed ?? [0])
    return [{ allowed, speaksOf: (input) => typed === 'all' || typed.includes(input) }]
  }
  const found = row.kind === 'elementwise' ? row.typesAt?.(opset) : undefined
  if (found === undefined) return []
  const { shared, own } = found
  const rules: TypeRule[] = [{ allowed: shared, speaksOf: (input) => input !== own?.operand }]
  if (own !== undefined) rules.push({ allowed: own.types, speaksOf: (input) => input === own.operand })
  return rules
}

const known = new WeakMap<Row, Map<number, readonly TypeRule[]>>()

/** Throws unless ONNX allows the operator inputs of these types, at the opset of the node. */
export function checkTypes(
  row: Row,
  { node, opset }: NodeUse,
  inputs: readonly (Pick<Tensor, 'dtype'> | undefined)[],
): void {
  let byOpset = known.get(row)
  if (byOpset === undefined) known.set(row, (byOpset = new Map()))
  let rules = byOpset.get(opset)
  if (rules === undefined) byOpset.set(opset, (rules = rulesOf(row, opset)))
  for (const { allowed, speaksOf } of rules) {
    for (const [i, input] of inputs.entries()) {
      if (input === undefined || !speaksOf(i) || allowed.includes(input.dtype)) continue
      throw new DTypeError(
        `${node.opType} of opset ${opset} does not take ${input.dtype} for input ${i} ${JSON.stringify(node.inputs[i])}; it takes ${allowed.join(', ')}.`,
        input.dtype,
        allowed,
      )
    }
  }
}
