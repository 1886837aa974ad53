// The operators by the names that standards give them: a name means one function wherever it is met.
import { type Operator, operators } from 'bcast'

/** By ONNX's names and OpenVINO's; where both have one name it is the same operator. */
export const namedOperators: ReadonlyMap<string, Operator> = new Map(
  Object.values(operators).flatMap((operator) =>
    [operator.onnx?.name, operator.openvino].flatMap((name) => (name === undefined ? [] : [[name, operator]])),
  ),
)

/** What of the attributes of a case is the operator's own: others are for those who ask. */
export const ownAttributes = ({ attributes }: Operator, given: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(attributes, name)))
