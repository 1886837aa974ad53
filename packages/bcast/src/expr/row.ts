// An operator is a row: its names, the types each source allows, how broadcasting treats its operands, and what it
// computes as instructions. Public functions, checks, tests and documentation all read the same rows.
import type { DType } from '../dtype/dtype.ts'
import type { Rule } from '../shape/rule.ts'
import type { faultOf } from './fault.ts'
import type { Builder, Value } from './ir.ts'
import { union } from './type-sets.ts'

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

export interface Attributes {
  readonly [name: string]: unknown
}

/** What an attribute may be. */
export interface AttributeValues {
  readonly values: readonly unknown[]
  /** Whether there is no default. */
  readonly required?: true
}

/** An attribute that is true or false. */
export const FLAG: AttributeValues = { values: [true, false] }

export interface Refusal {
  /** What follows the operator's name in the message. */
  readonly why: string
  readonly dtype: DType
  /** The types that would do. */
  readonly allowed: readonly DType[]
}

export interface Row<N extends string = string> {
  /** The ONNX name, or OpenVINO's where ONNX has none. */
  readonly name: N
  /** OpenVINO's name where it differs or exists. */
  readonly openvino?: string
  /** Number of operands; `variadic` takes one or more. */
  readonly operands: 1 | 2 | 3 | 'variadic'
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
  /** Only moves elements, so that every bit is kept. */
  readonly moves?: boolean
  /** How shapes meet unless a call says otherwise; numpy where it is not said here either. */
  readonly rule?: Rule
  /** The operand that one-way rules keep, by rule name; the first otherwise. */
  readonly onto?: { readonly [rule: string]: number }
  /** Why types that are allowed do not go together, or with these attributes; undefined when they do. */
  refuse?(shared: DType, own: DType, attributes: Attributes): Refusal | undefined
  /** Says what is wrong with an element without a value, for operators that have such elements. */
  readonly fault?: typeof faultOf
  /** What a call may say beside its operands, its rule and where the result goes. */
  readonly attributes?: { readonly [name: string]: AttributeValues }
  /** What it computes. */
  build(b: Builder, args: readonly Value[], attributes: Attributes): Value
}

/** The type that bare values among the operands take, whose types are given as far as they have one. */
export function typeBeside({ own }: Row, dtypes: readonly (DType | undefined)[]): DType | undefined {
  const shared = dtypes.find((dtype, i) => dtype !== undefined && i !== own?.operand)
  return shared ?? (own?.lends === true ? dtypes[own.operand] : undefined)
}

/** The type that a bare JavaScript value takes as operand `i`, beside operands that share a type, if any does. */
export function literalType(row: Row, i: number, shared: DType | undefined, value: unknown): DType {
  if (shared === undefined) {
    return typeof value === 'bigint'
      ? 'int64'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value === 'string'
          ? 'string'
          : typeof value === 'object'
            ? 'real'
            : 'float32'
  }
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
