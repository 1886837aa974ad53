// The intermediate form of an element-wise computation: a straight line of typed instructions, each naming earlier
// ones. Backends run it element by element, in vectors or as machine code; no instruction knows about shapes.
import { type DType, isFloat } from '../dtype/dtype.ts'

/**
 * What an instruction does to elements of one type. Integers wrap; floats are IEEE; 16-bit floats appear only in
 * `input` and `cast`, because operators compute in float32 and round once.
 * - mod follows the divisor's sign, rem the dividend's; floorDiv rounds down, div (of integers) toward zero
 * - power raises an integer to an integer power
 * - power2 (float32 and float64), exponent, mantissa, high and withSign (float64): functions/algebra.ts says what they
 *   mean
 */
export type Primitive =
  | 'input'
  | 'constant'
  | 'cast'
  | 'select'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'floorDiv'
  | 'mod'
  | 'rem'
  | 'power'
  | 'min'
  | 'max'
  | 'and'
  | 'or'
  | 'xor'
  | 'not'
  | 'shl'
  | 'shr'
  | 'equal'
  | 'less'
  | 'lessEqual'
  | 'neg'
  | 'abs'
  | 'sign'
  | 'sqrt'
  | 'floor'
  | 'ceil'
  | 'round'
  | 'withSign'
  | 'power2'
  | 'exponent'
  | 'mantissa'
  | 'high'

/** One step of a program. */
export interface Instruction {
  readonly op: Primitive
  /** Type of the result. */
  readonly dtype: DType
  /** Earlier instructions by position. */
  readonly args: readonly number[]
  /** The operand's position for `input`; the element for `constant`, as its type holds it. */
  readonly value?: number | bigint
  /** Where an element may have no value: whose instruction it is, and which operand of that operator is to blame. */
  readonly blamed?: Blamed
}

export interface Blamed {
  readonly operator: string
  readonly operand: number
}

/** What is computed for each element: instructions in order. */
export interface Program {
  /** Types of the operands as they lie in memory. */
  readonly inputs: readonly DType[]
  /** The last instruction is the result. */
  readonly code: readonly Instruction[]
}

const FAULTING: ReadonlySet<Primitive> = new Set<Primitive>(['div', 'floorDiv', 'mod', 'rem', 'power'])

/** Whether it has no value for some elements: a division of integers or rationals by zero, zero to a negative power. */
const faults = (op: Primitive, dtype: DType): boolean => FAULTING.has(op) && !isFloat(dtype)

/** Whether some elements may have no value. */
export const canFault = ({ code }: Program): boolean => code.some(({ op, dtype }) => faults(op, dtype))

/** A value inside a program: its instruction's position. */
export type Value = number

/** What tells an instruction from others. */
export function instructionKey({ op, dtype, args, value }: Instruction): string {
  const sign = Object.is(value, -0) ? '-' : ''
  return `${op} ${dtype} ${args.join(' ')} ${sign}${value}`
}

/** An instruction that gives a truth value. */
type Comparison = 'equal' | 'less' | 'lessEqual'

/**
 * What appends instructions, as somebody sees it who may use some of them alone: the compiler refuses all others.
 * Constants may always be used.
 */
export type Appending<P extends Primitive> = Pick<Builder, 'dtype' | 'constant' | (P & ('cast' | 'select'))> & {
  /** An instruction whose result has its operands' type. */
  readonly op: (op: P, ...args: Value[]) => Value
  readonly compare: (op: P & Comparison, a: Value, b: Value) => Value
}

/** Appends instructions; an instruction that is there already is used again. */
export class Builder {
  readonly #code: Instruction[] = []
  readonly #known = new Map<string, Value>()
  readonly #inputs: readonly DType[]
  /** The operator whose instructions are appended, where they may have no value. */
  blamed: Blamed | undefined

  constructor(inputs: readonly DType[]) {
    this.#inputs = inputs
  }

  #emit(instruction: Instruction): Value {
    const key = instructionKey(instruction)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.#code.length)
    return this.#code.push(instruction) - 1
  }

  dtype(value: Value): DType {
    return this.#code[value]!.dtype
  }

  input(position: number): Value {
    return this.#emit({ op: 'input', dtype: this.#inputs[position]!, args: [], value: position })
  }

  constant(dtype: DType, value: number | bigint): Value {
    return this.#emit({ op: 'constant', dtype, args: [], value })
  }

  cast(value: Value, dtype: DType): Value {
    return this.dtype(value) === dtype ? value : this.#emit({ op: 'cast', dtype, args: [value] })
  }

  /** An instruction whose result has its operands' type. */
  op(op: Primitive, ...args: Value[]): Value {
    const dtype = this.dtype(args[0]!)
    const { blamed } = this
    return this.#emit(blamed !== undefined && faults(op, dtype) ? { op, dtype, args, blamed } : { op, dtype, args })
  }

  compare(op: Comparison, a: Value, b: Value): Value {
    return this.#emit({ op, dtype: 'bool', args: [a, b] })
  }

  select(condition: Value, a: Value, b: Value): Value {
    return this.#emit({ op: 'select', dtype: this.dtype(a), args: [condition, a, b] })
  }

  /** The program whose result is `value`. */
  program(value: Value): Program {
    const code =
      value === this.#code.length - 1
        ? this.#code
        : [...this.#code, { op: 'cast' as const, dtype: this.dtype(value), args: [value] }]
    return { inputs: this.#inputs, code }
  }
}
