// What an operator is to a run: a row of data with a function. There are two kinds.
//
// An element-wise row computes one result from operands of any shape, by functions of the library alone. The function is
// also called with operands of `fuse`, so that it can become part of a larger kernel: it looks at types, never at shapes
// or elements.
//
// Any other row gets a Call: its tensors, its attributes, and ways to compute. How to write one:
//
//   const concat: KernelRow = {
//     kind: 'kernel',
//     name: 'Concat',
//     types: MOVED,
//     *compute(call) {
//       const result = yield* roomFor(call, dtype, shape)       // tensors made on the way are disposed of at the end
//       yield* call.apply(identity, part, { out: call.own(result.slice(…)) })
//       return [result]
//     },
//   }
//
// A row answers for its operator from opset `since` on (1 unless said) until the next row of the same name, as those of
// inference do.

import type { DType, OperandTypes, Tensor } from 'bcast'
import type { OperatorRow } from '../model/operator-rows.ts'
import type { Compute } from './call.ts'
import type { NodeUse } from './use.ts'

/** Element types by the opset that introduced them, oldest first. */
export type TypesByOpset = readonly (readonly [opset: number, types: readonly DType[]])[]

interface RowParts extends OperatorRow {
  /** Why a node cannot be run, as words behind the name of the operator; undefined when it can. */
  readonly refuse?: (use: NodeUse) => string | undefined
}

export interface ElementwiseRow extends RowParts {
  readonly kind: 'elementwise'
  /** How many operands there are; those between the two may be left out. */
  readonly operands: readonly [least: number, most: number]
  /** Types that ONNX allows. */
  readonly types?: TypesByOpset
  /** The same of an operator of the library's table, at an opset. */
  readonly typesAt?: (opset: number) => OperandTypes | undefined
  /** Operands brought into place first, where that depends on their shapes; such a node is a kernel by itself. */
  readonly arrange?: (use: NodeUse) => ((operands: readonly Tensor[]) => readonly Tensor[]) | undefined
  readonly compute: (operands: readonly (Tensor | undefined)[], use: NodeUse) => Tensor
}

export interface KernelRow extends RowParts {
  readonly kind: 'kernel'
  /** Types that ONNX allows for the inputs named in `typed` (the first, unless said). */
  readonly types?: TypesByOpset
  readonly typed?: readonly number[] | 'all'
  /** Whether results may share memory with inputs. */
  readonly views?: boolean
  readonly compute: Compute
}

export type Row = ElementwiseRow | KernelRow
