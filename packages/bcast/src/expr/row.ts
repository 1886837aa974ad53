// An operator is a row: its names, its operands, the types each source allows, how broadcasting treats its operands, its
// attributes, what it computes as instructions, and its derivative as an expression. Functions, methods inside `fuse`,
// the command line, models, tests and documentation all read the same rows.
import type { DType } from '../dtype/dtype.ts'
import type { Rule } from '../shape/rule.ts'
import { typeOf } from '../tensor/nested.ts'
import type { Attributes, FactsOf, Settled } from './attributes.ts'
import type { Differential, Gradients } from './derivative.ts'
import type { Appending, Primitive, Value } from './ir.ts'
import { union } from './type-sets.ts'

export type { Attributes }

/** Types by the opset that introduced them, oldest first. */
export type TypesByOpset = readonly (readonly [opset: number, types: readonly DType[]])[]

/** The types that one group of operands may have, by source. */
export interface Types {
  /** ONNX's table for this group. */
  readonly onnx?: TypesByOpset
  /** OpenVINO's. */
  readonly openvino?: readonly DType[]
  /** What the safety profile or exact rationals add. */
  readonly other?: readonly DType[]
}

export interface Refusal {
  /** What follows the operator's name in the message. */
  readonly why: string
  readonly dtype: DType
  /** The types that would do. */
  readonly allowed: readonly DType[]
}

/** What a computation over tensors has to know of what it computes: an operator, a conversion, a fused expression. */
export interface Computed {
  /** What messages call it. */
  readonly name: string
  /** Only moves elements, so that every bit is kept. */
  readonly moves?: boolean | undefined
}

/** `P`: the instructions that it is made of; whoever makes a function of it has to bring them. `A`: its attributes. */
export interface Row<P extends Primitive = Primitive, A extends object = Attributes> extends Computed {
  /** ONNX's name, or OpenVINO's where ONNX has no such operator, and so no types for it. */
  readonly name: string
  /** bcast's own name: that of the function, of the method inside `fuse`, and in expressions of the command line. */
  readonly call: string
  /** OpenVINO's name, where it has the operator. */
  readonly openvino?: string
  /** What it computes, in a line. */
  readonly help: string
  /** The names of its operands, in their order. */
  readonly operands: readonly string[]
  /** Takes one operand or more, all alike. */
  readonly variadic?: true
  /** Of an operator of any number of operands: why one that is not in an array is refused. */
  readonly alone?: string
  /** Of such an operator: why a bare number beside one operand is refused, unless they are in an array. */
  readonly beside?: string
  /** What the last operands are where a call leaves them out, in the type that the others share; all others are needed. */
  readonly otherwise?: readonly ((shared: DType) => number | bigint)[]
  /** Types of the operands that share one type. */
  readonly types: Types
  /** Types of an operand that has its own: the condition of Where, the exponent of Pow. */
  readonly own?: {
    readonly operand: number
    readonly types: Types
    /** The type of a bare JavaScript value there, beside operands of type `shared`. */
    literal(shared: DType, value: unknown): DType
    /** Whether bare values beside it take its type where no other operand has one, as a base does its exponent's. */
    readonly lends?: true
  }
  /** The result's type: that of the shared operands, or always bool. */
  readonly result: 'same' | 'bool'
  /** How shapes meet unless a call says otherwise; numpy where it is not said here either. */
  readonly rule?: Rule
  /** The operand that one-way rules keep, by rule name; the first otherwise. */
  readonly onto?: { readonly [rule: string]: number }
  /** Why types that are allowed do not go together, or with these attributes; undefined when they do. */
  refuse?(shared: DType, own: DType, attributes: Attributes): Refusal | undefined
  /** The operand that is to blame for elements without a value, where there may be such: the divisor, the exponent. */
  readonly fault?: { readonly operand: number }
  /** What a call may say beside its operands, its rule and where the result goes. */
  readonly attributes?: FactsOf<A>
  /** What it computes; every attribute is there. */
  build(b: Appending<P>, args: readonly Value[], attributes: Settled<A>): Value
  /** The gradient of each operand; an operator without it is not differentiable. `differentiate` calls it. */
  derivative?(of: Differential<A>): Gradients
  /** Floats are within the bounds of functions, and not exact. */
  readonly approximate?: true
  /** For the compiler alone. */
  readonly primitives?: P
}

/** The operand that a rule keeps, if it keeps one. */
export const keptBy = ({ onto }: Pick<Row, 'onto'>, rule: Rule): number => onto?.[rule.name] ?? 0

/** The type of the result for operands of these types. */
export const resultType = ({ result, own }: Row, dtypes: readonly DType[]): DType =>
  result === 'bool' ? 'bool' : dtypes[own?.operand === 0 ? 1 : 0]!

/** The type that bare values among the operands take, whose types are given as far as they have one. */
export function typeBeside({ own }: Row, dtypes: readonly (DType | undefined)[]): DType | undefined {
  const shared = dtypes.find((dtype, i) => dtype !== undefined && i !== own?.operand)
  return shared ?? (own?.lends === true ? dtypes[own.operand] : undefined)
}

/** The type that a bare JavaScript value takes as operand `i`, beside operands that share a type, if any does. */
export function literalType(row: Row, i: number, shared: DType | undefined, value: unknown): DType {
  if (shared === undefined) return typeOf(value)
  return i === row.own?.operand ? row.own.literal(shared, value) : shared
}

const allowed = new WeakMap<Types, readonly DType[]>()

/** Every type that any source allows. */
export function allowedTypes(types: Types): readonly DType[] {
  let known = allowed.get(types)
  if (known === undefined) {
    const { onnx = [], openvino = [], other = [] } = types
    known = union(...onnx.map(([, list]) => list), openvino, other)
    allowed.set(types, known)
  }
  return known
}

/** The types ONNX allows at an opset; undefined before the operator existed. */
export const onnxTypes = ({ onnx = [] }: Types, opset: number): readonly DType[] | undefined =>
  onnx.findLast(([since]) => since <= opset)?.[1]
