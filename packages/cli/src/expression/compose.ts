// An expression applied to values: tensors, or operands inside `fuse`. Here numbers get their types. One beside an
// array takes the array's; numbers among themselves are computed in float64 and are a number again, so that 1 / 3 is a
// third whatever it meets; and what no array gives a type is float64, or int64 where it is about bits.
import { BcastError, cast, type DType, DTypeError, dtypeInfo, numpy, tensor, ValueError } from 'bcast'
import { EvaluationError } from './expression-error.ts'
import { exactly, mayBeFloat64, mayBeRounded } from './integers.ts'
import { type Operand, type Operator, operators, type Value } from './operators.ts'
import { refusalOf } from './refusal.ts'
import { type Application, bottomUp, type Expression, type Name, type Span } from './syntax.ts'

/** What a part of an expression stands for before its type is settled. */
type Draft =
  | { readonly kind: 'value'; readonly value: Value }
  /** `rounded`: float64 may have rounded it. */
  | { readonly kind: 'number'; readonly value: number | bigint; readonly rounded?: boolean }
  /** `depth`: how many of this kind are inside each other. */
  | { readonly kind: 'open'; readonly otherwise: DType; readonly depth: number; settle(dtype: DType): Value }

type NumberDraft = Extract<Draft, { kind: 'number' }>
type OpenDraft = Extract<Draft, { kind: 'open' }>

export interface Surroundings {
  /** The text, for errors. */
  readonly expression: string
  /** The value of a name. */
  valueNamed(name: Name): Value
  /** The element of the result that is computed alone, for errors; undefined where all are. */
  readonly index?: readonly number[] | undefined
}

/** Parts whose type is settled from outside, inside each other: they settle by recursion. */
const MAX_OPEN = 200

/** A number that every type holds, and that divides. */
const FITS_ALL = 1

const constant = (value: number | bigint | boolean, dtype: DType): Value => tensor(value, { dtype })

const numberOf = (scalar: Value): number => (scalar as unknown as { toArray(): number }).toArray()

export class Composer {
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** The value of an expression, in the given type if one is. */
  compose(root: Expression, dtype: DType | undefined): Value {
    const drafts = new Map<Expression, Draft>()
    for (const part of bottomUp(root))
      drafts.set(
        part,
        this.#draft(part, (arg) => drafts.get(arg)!),
      )
    const draft = drafts.get(root)!
    if (draft.kind === 'number' && dtype === undefined) this.#checkFloat64(draft.value, root)
    const value = draft.kind === 'value' ? draft.value : this.#settled(draft, root, dtype ?? defaultType(draft))
    return dtype === undefined || value.dtype === dtype ? value : this.#at(root.span, () => converted(value, dtype))
  }

  /** Does what may be refused, and shows where: a value that does not fit its type stands at `valueAt`. */
  #at<T>(at: Span, work: () => T, operands: readonly Expression[] = [], valueAt = at): T {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof BcastError)) throw error
      const { expression, index } = this.#around
      const span = error instanceof ValueError ? valueAt : at
      const refusal = refusalOf(error, { expression, operands, index })
      // Elsewhere ^ is a power, which whoever writes it between floats means.
      const hint = expression.slice(span.start, span.end) === '^' ? ' A power is written **.' : ''
      throw new EvaluationError({ expression, span, ...refusal, problem: `${refusal.problem}${hint}`, cause: error })
    }
  }

  /** What a part is, by what its own parts are. */
  #draft(part: Expression, draftOf: (arg: Expression) => Draft): Draft {
    switch (part.kind) {
      case 'name':
        return { kind: 'value', value: this.#around.valueNamed(part) }
      case 'number':
        return { kind: 'number', value: part.value }
      case 'boolean':
        return { kind: 'value', value: constant(part.value, 'bool') }
      case 'cast': {
        const { dtype, arg } = part
        const draft = draftOf(arg)
        if (draft.kind !== 'value') return { kind: 'value', value: this.#settled(draft, arg, dtype) }
        return { kind: 'value', value: this.#at(part.span, () => converted(draft.value, dtype)) }
      }
      case 'apply':
        return this.#applied(part, part.args.map(draftOf))
    }
  }

  #settled(draft: Exclude<Draft, { kind: 'value' }>, part: Expression, dtype: DType): Value {
    return draft.kind === 'open' ? draft.settle(dtype) : this.#held(draft, part, dtype)
  }

  /** A number in a type that holds it: floats round, but not to infinity. */
  #held({ value, rounded = false }: NumberDraft, { span }: Expression, dtype: DType): Value {
    const { expression } = this.#around
    if (rounded && !dtypeInfo(dtype).isFloat) {
      const problem = `${value} was computed in float64, which rounds integers beyond 2^53; ${dtype} takes exact ones. A whole quotient is written //.`
      throw new EvaluationError({ expression, span, problem })
    }
    const made = this.#at(span, () => constant(value, dtype))
    const isFiniteNumber = typeof value === 'bigint' || Number.isFinite(value)
    if (isFiniteNumber && Math.abs(Number(numberOf(made))) === Number.POSITIVE_INFINITY) {
      const problem = `${value} is beyond the numbers of ${dtype}; infinity is written inf.`
      throw new EvaluationError({ expression, span, problem })
    }
    return made
  }

  #applied(part: Application, drafts: readonly Draft[]): Draft {
    const operator = operators.get(part.operator)!
    if (!operator.bitwise && drafts.every(isNumber)) return this.#folded(operator, part, drafts)
    const shared = sharedType(operator, drafts)
    if (shared !== undefined) return { kind: 'value', value: this.#apply(operator, part, drafts, shared) }
    const otherwise = drafts.find(isOpen)?.otherwise ?? (operator.bitwise ? 'int64' : 'float64')
    if (operator.result === 'bool') return { kind: 'value', value: this.#apply(operator, part, drafts, otherwise) }
    const depth = 1 + drafts.reduce((most, draft) => Math.max(most, draft.kind === 'open' ? draft.depth : 0), 0)
    if (depth > MAX_OPEN) {
      const { expression } = this.#around
      const problem = `more than ${MAX_OPEN} operators are inside each other before anything has a type. Say which: int64(…).`
      throw new EvaluationError({ expression, span: part.at, problem })
    }
    return { kind: 'open', otherwise, depth, settle: (dtype) => this.#apply(operator, part, drafts, dtype) }
  }

  /** Numbers among themselves. */
  #folded(operator: Operator, part: Application, drafts: readonly NumberDraft[]): Draft {
    const isExact = drafts.every(({ rounded = false }) => !rounded)
    const values = drafts.map(({ value }) => value)
    const found = isExact && part.attributes === undefined ? exactly(operator.name, values) : undefined
    if (typeof found === 'boolean') return { kind: 'value', value: constant(found, 'bool') }
    if (found !== undefined) return { kind: 'number', value: found }
    for (const [i, { value }] of drafts.entries()) this.#checkFloat64(value, part.args[i]!)
    const operands = drafts.map(({ value }) => constant(value, 'float64'))
    const value = this.#at(part.at, () => operator.apply(operands, numpy, part.attributes), part.args)
    if (value.dtype === 'bool') return { kind: 'value', value }
    const number = numberOf(value)
    return { kind: 'number', value: number, rounded: !isExact || mayBeRounded(number) }
  }

  /** Numbers that no array gives a type are float64, and integers are not rounded to it. */
  #checkFloat64(value: number | bigint, { span }: Expression): void {
    if (mayBeFloat64(value)) return
    const { expression } = this.#around
    const exact = BigInt.asIntN(64, BigInt(value)) === value ? 'int64' : 'uint64'
    const problem = `${value} is no float64, the type of numbers that no array gives one. Say which it has: ${exact}(${value}), or float64(${value}), which rounds it.`
    throw new EvaluationError({ expression, span, problem })
  }

  #apply(operator: Operator, part: Application, drafts: readonly Draft[], shared: DType): Value {
    const { own: ownOperand } = operator.types
    const isShared = (i: number): boolean => i !== ownOperand?.operand
    const hasValue = drafts.some((draft, i) => isShared(i) && draft.kind !== 'number')
    const own = part.args[ownOperand?.operand ?? -1]?.span
    const apply = (operands: readonly Operand[]): Value =>
      this.#at(part.at, () => operator.apply(operands, numpy, part.attributes), part.args, own)
    const settled = drafts.map((draft, i) => (): Operand => {
      const arg = part.args[i]!
      if (draft.kind === 'value') return draft.value
      if (draft.kind === 'open') return draft.settle(isShared(i) ? shared : ownType(operator, draft))
      // A bare number beside a value is a constant of the kernel; it must fit, and is refused at its own place.
      const fitted = isShared(i) ? this.#settled(draft, arg, shared) : draft.value
      return isShared(i) && hasValue ? draft.value : fitted
    })
    try {
      return apply(settled.map((settle) => settle()))
    } catch (error) {
      if (error instanceof EvaluationError && drafts.some(isTyped)) {
        // Types that do not go together whatever numbers are beside them are what is wrong, and not the numbers.
        apply(drafts.map((draft) => (isTyped(draft) ? draft.value : FITS_ALL)))
        const isInside = error.span !== part.at && error.cause instanceof DTypeError
        if (isInside) apply(drafts.map(byItself))
      }
      throw error
    }
  }
}

/** An operand in the type that it would have alone. */
function byItself(draft: Draft): Operand {
  if (draft.kind === 'open') return draft.settle(draft.otherwise)
  return draft.kind === 'number' ? FITS_ALL : draft.value
}

const isTyped = (draft: Draft): draft is Extract<Draft, { kind: 'value' }> => draft.kind === 'value'

const isNumber = (draft: Draft): draft is NumberDraft => draft.kind === 'number'

const isOpen = (draft: Draft): draft is OpenDraft => draft.kind === 'open'

const defaultType = (draft: Draft): DType => (draft.kind === 'open' ? draft.otherwise : 'float64')

/** Parts without names settle to tensors, which convert at once; others are recorded. */
const converted = (value: Value, dtype: DType): Value => (cast as (x: unknown, dtype: DType) => Value)(value, dtype)

/** The type an undecided operand with a type of its own gets: the only one it may have, or what it would be alone. */
function ownType({ types: { own } }: Operator, { otherwise }: OpenDraft): DType {
  return own?.types.length === 1 ? own.types[0]! : otherwise
}

/** The type that the first operand with one gives the others; a base takes it from its exponent. */
function sharedType({ types: { own }, lendsType }: Operator, drafts: readonly Draft[]): DType | undefined {
  const typed = drafts.findIndex((draft, i) => draft.kind === 'value' && i !== own?.operand)
  const draft = drafts[typed < 0 && lendsType ? own!.operand : typed]
  return draft?.kind === 'value' ? draft.value.dtype : undefined
}
