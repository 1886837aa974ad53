// What an operator is to inference: a row with a name and a function from what is known of its inputs to what is known
// of its outputs. How to write one:
//
//   export const tile: Row = {
//     name: 'Tile',
//     since: 6,
//     infer: (call) => {
//       const { element, shape } = call.tensor(0)          // inputs that are left out or of another kind fail here
//       const repeats = call.dims(1)                       // the elements of a small tensor, as Dims; null: not known
//       if (shape === null || repeats === undefined) return [tensor(element, null)]
//       if (repeats.length !== shape.length) return call.fail(`…`)
//       return [tensor(element, shape.map((dim, axis) => mul(dim, repeats[axis] ?? call.fresh(`repeat`))))]
//     },
//   }
//
// - A row answers for its operator from opset `since` on (1 unless said) until the next row of the same name; small
//   differences between versions are `call.opset >= 13` within a row. Rows are exported constants, listed in the family's
//   array, and the arrays are put together in operators/index.ts.
// - Say what is certain and nothing else. What is not known: `tensor(element, null)` for the rank, `call.fresh(hint,
//   bounds)` for one size. A row never throws; it returns fewer outputs, or `unknown`, or it calls
// - `call.fail(message)` when the node cannot be, whatever the sizes: it ends the row, is reported, and the outputs
//   are unknown. The message speaks of sizes and names axes; the node is named by whoever prints it.
// - `call.learn(a, b, message)` says that two sizes are equal in every run that works; it fails if they never are.
// - `call.broadcast(operands, rule)` is the only way that shapes are broadcast: it keeps the verdict for the checker.
// - Shapes hold Dims: compute with add, mul, floorDiv … of ../dims, compare with isEqual (true, false, or undefined
//   when it depends), and get numbers with constantOf.
import type { OperatorRow } from '../model/operator-rows.ts'
import type { Call } from './call.ts'
import type { Known } from './known.ts'

export interface Row extends OperatorRow {
  /** What is known of the outputs, in their order; those it leaves out are unknown. */
  readonly infer: (call: Call) => readonly Known[]
}
