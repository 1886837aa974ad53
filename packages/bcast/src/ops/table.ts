// The element-wise operators as plain facts, each with its function: what they are called, what they take, what they
// give. Whoever lists, documents, runs or infers operators reads it, so that a new one is nowhere listed again.
import type { DType } from '../dtype/dtype.ts'
import type { Attribute } from '../expr/attributes.ts'
import { allowedTypes, keptBy, onnxTypes, type Row } from '../expr/row.ts'
import * as rows from '../expr/rows/index.ts'
import type { Rule } from '../shape/rule.ts'
import { numpy } from '../shape/rules/numpy.ts'
import type { Tensor } from '../tensor/tensor.ts'
import * as functions from './operators.ts'
import type { WithAsync } from './when.ts'

/** An operator's function, called with whatever it is given: it checks its arguments itself. */
export interface OperatorCall extends WithAsync<(...args: readonly unknown[]) => Promise<Tensor>> {
  (...args: readonly unknown[]): Tensor
}

/** The element types that a source allows an operator. */
export interface OperandTypes {
  /** Of the operands that share one type. */
  readonly shared: readonly DType[]
  /** Of an operand that has a type of its own: the condition of Where, the exponent of Pow. */
  readonly own: { readonly operand: number; readonly types: readonly DType[] } | undefined
}

/** What is known of an element-wise operator; see `operators`. */
export interface Operator {
  /** That of the function, and of the method inside `fuse`. */
  readonly name: string
  /** Its name in ONNX and the first operator set that has it. */
  readonly onnx: { readonly name: string; readonly since: number } | undefined
  /** Its name in OpenVINO. */
  readonly openvino: string | undefined
  /** What it computes, in a line. */
  readonly help: string
  /** The names of its operands; of one that takes any number, the name of each. */
  readonly operands: readonly string[]
  /** How many operands it takes at least and at most. */
  readonly least: number
  readonly most: number
  /** Every type that some source allows. */
  readonly types: OperandTypes
  /** Those that ONNX allows at an operator set; undefined before it existed, or where ONNX has none such. */
  readonly onnxTypes: (opset: number) => OperandTypes | undefined
  /** Whether bare numbers beside the operand of its own type take that type where no other operand has one. */
  readonly lendsType: boolean
  /** The result's type: that of the operands that share one, or always bool. */
  readonly result: 'same' | 'bool'
  /** How shapes meet unless a call says otherwise. */
  readonly rule: Rule
  /** The operand that a rule keeps, if it keeps one. */
  readonly keeps: (rule: Rule) => number
  /** What a call may say beside operands, rule and `out`. */
  readonly attributes: Readonly<Record<string, Attribute>>
  /** Whether floats are within the bounds of functions, and not exact. */
  readonly isApproximate: boolean
  readonly call: OperatorCall
}

/** The names of the element-wise operators. */
export type OperatorName = keyof typeof rows

type TypesOf = (types: Row['types']) => readonly DType[] | undefined

function operandTypes({ types, own }: Row, typesOf: TypesOf): OperandTypes | undefined {
  const shared = typesOf(types)
  return shared && { shared, own: own && { operand: own.operand, types: typesOf(own.types) ?? [] } }
}

function factsOf(row: Row, call: unknown): Operator {
  const { call: name, openvino, help, operands, otherwise = [], types, own, result, rule = numpy } = row
  return Object.freeze({
    name,
    onnx: types.onnx && { name: row.name, since: types.onnx[0]![0] },
    openvino,
    help,
    operands,
    least: operands.length - otherwise.length,
    most: row.variadic === true ? Number.POSITIVE_INFINITY : operands.length,
    types: operandTypes(row, allowedTypes)!,
    onnxTypes: (opset: number) => operandTypes(row, (source) => onnxTypes(source, opset)),
    lendsType: own?.lends === true,
    result,
    rule,
    keeps: (given: Rule) => keptBy(row, given),
    attributes: row.attributes ?? {},
    isApproximate: row.approximate === true,
    call: call as OperatorCall,
  })
}

const tableOf = (
  all: Readonly<Record<OperatorName, Row>>,
  calls: Readonly<Record<OperatorName, unknown>>,
): Readonly<Record<OperatorName, Operator>> =>
  Object.fromEntries(
    Object.entries(all).map(([name, row]) => [name, factsOf(row, calls[name as OperatorName])]),
  ) as Record<OperatorName, Operator>

/** The element-wise operators by name: `operators.add.onnx`, `Object.values(operators)`. */
export const operators: Readonly<Record<OperatorName, Operator>> = /* @__PURE__ */ tableOf(rows, functions)
