// What a call was given, told apart by its row: operands, and options behind them. Functions, their asynchronous forms
// and the methods inside `fuse` all come through here, so that none takes silently what another refuses.
import type { DType } from '../dtype/dtype.ts'
import { realArithmetic } from '../dtype/real.ts'
import { OperandError, wrongOperand, wrongOption } from '../errors/index.ts'
import { type Attribute, misfit } from '../expr/attributes.ts'
import { literalType, type Row, typeBeside } from '../expr/row.ts'
import { checkNames, isOptions } from '../shape/options.ts'
import { show } from '../shape/show.ts'
import { Tensor } from '../tensor/tensor.ts'
import type { ElementwiseOptions } from './options.ts'
import { TracedOperand } from './traced.ts'

const NO_OPTIONS: ElementwiseOptions = {}

/** What options may hold, by name. */
export type Allowed = Readonly<Record<string, Attribute | undefined>>

/** Throws unless options hold nothing but what is allowed. */
export function checkOptions(name: string, options: unknown, allowed: Allowed): void {
  if (options === undefined) return
  if (!isOptions(options)) {
    throw new OperandError(`${name}: options are ${described(options)}; they are an object, such as { out }.`, {
      operator: name,
    })
  }
  checkNames(name, options, Object.keys(allowed))
  for (const [option, attribute] of Object.entries(allowed)) {
    const value = (options as Record<string, unknown>)[option]
    const expected = attribute && misfit(attribute, value)
    if (expected !== undefined) throw wrongOption(name, option, `is ${described(value)}`, `it is ${expected}`)
  }
}

const allowedByRow = new WeakMap<Row, Allowed>()

/** What the options of an operator may hold. */
function allowedOf(row: Row): Allowed {
  let allowed = allowedByRow.get(row)
  if (allowed === undefined) {
    allowed = { broadcast: undefined, out: undefined, ...row.attributes }
    allowedByRow.set(row, allowed)
  }
  return allowed
}

export const plural = (count: number): string => `${count} operand${count === 1 ? '' : 's'}`

/** Operands given one by one or in one array, and the options behind them. */
export function collect(args: readonly unknown[]): { operands: readonly unknown[]; options: object | undefined } {
  const last = args.at(-1)
  const options = isOptions(last) ? last : undefined
  const rest = options === undefined ? args : args.slice(0, -1)
  // Spread, so that what is missing in an array is an operand that is refused.
  return { operands: rest.length === 1 && Array.isArray(rest[0]) ? [...rest[0]] : rest, options }
}

/** Gives the operands and options of a call; throws where it has too few or too many, or an option that does not exist. */
export type Reading = (
  row: Row,
  args: readonly unknown[],
) => { readonly operands: readonly unknown[]; readonly options: ElementwiseOptions }

const OPTIONS: readonly (keyof ElementwiseOptions)[] = ['broadcast', 'out']

/** For an operator of so many operands without attributes. */
export const plainArguments: Reading = (row, args) => {
  const { operands, options = NO_OPTIONS } = counted(row.name, row.operands.length, args)
  checkNames(row.name, options, OPTIONS)
  return { operands, options }
}

/** For any operator. */
export const argumentsOf: Reading = (row, args) => {
  const { operands, options } =
    row.variadic === true ? collect(args) : counted(row.name, row.operands.length, completed(row, args))
  if (row.alone !== undefined && operands.length === 1 && operands[0] === args[0]) {
    throw new OperandError(row.alone, { operator: row.name })
  }
  const [, second] = operands
  const couldBeAxes = typeof second === 'number' || Array.isArray(second)
  if (row.beside !== undefined && operands.length === 2 && couldBeAxes && operands[0] === args[0]) {
    throw new OperandError(row.beside, { operator: row.name })
  }
  if (operands.length === 0) throw new OperandError(`${row.name} needs at least one operand.`, { operator: row.name })
  if (options !== undefined || row.attributes !== undefined) {
    checkOptions(row.name, options ?? NO_OPTIONS, allowedOf(row))
  }
  return { operands, options: (options as ElementwiseOptions | undefined) ?? NO_OPTIONS }
}

const typeOf = (operand: unknown): DType | undefined =>
  operand instanceof Tensor || operand instanceof TracedOperand ? operand.dtype : undefined

/** The arguments with every operand there: those that may be left out are what the row says they are then. */
function completed(row: Row, args: readonly unknown[]): readonly unknown[] {
  const { otherwise = [], operands } = row
  const least = operands.length - otherwise.length
  if (otherwise.length === 0 || args.length < least) return args
  const end = isOptions(args.at(-1)) ? args.length - 1 : args.length
  const given = args.slice(0, end)
  const shared = typeBeside(row, given.map(typeOf)) ?? literalType(row, 0, undefined, given[0])
  for (const [i, value] of otherwise.entries()) given[least + i] ??= value(shared)
  return [...given, ...args.slice(end)]
}

/** So many operands and, if anything, options behind them. */
export function counted(
  name: string,
  count: number,
  args: readonly unknown[],
): { operands: readonly unknown[]; options: object | undefined } {
  const operands = args.slice(0, count)
  const [options, ...rest] = args.slice(count)
  if (operands.length < count) {
    throw new OperandError(`${name} takes ${plural(count)}, not ${operands.length}.`, { operator: name })
  }
  if (rest.length > 0 || (options !== undefined && !isOptions(options))) {
    throw new OperandError(
      `${name} takes ${plural(count)}, and options behind ${count === 1 ? 'it' : 'them'}; argument ${count + 1} is ${described(options)}.`,
      { operator: name },
    )
  }
  return { operands, options: options as object | undefined }
}

/** Throws where something stands behind the last argument that a function takes: what it was to mean would be lost. */
export function checkNoMore(name: string, rest: readonly unknown[], takes: string): void {
  if (rest.length > 0) throw new OperandError(`${name} takes ${takes}.`, { operator: name })
}

/** An argument in words: an object by what it is, because its contents would be long and say less. */
export function described(value: unknown): string {
  if (typeof value !== 'object' || value === null) return show(value)
  if (Array.isArray(value)) return 'an array'
  if (ArrayBuffer.isView(value)) return 'a typed array'
  if (value instanceof Tensor) return 'a tensor'
  if (value instanceof TracedOperand) return 'an operand of fuse, which has no elements yet'
  if ('dtype' in value && 'shape' in value) return 'a tensor of another copy of bcast'
  if (value instanceof Promise) return 'a promise; await it'
  return 'an object'
}

/** Throws unless every operand is a tensor. */
export function checkTensors(name: string, operands: readonly unknown[]): asserts operands is readonly Tensor[] {
  operands.forEach((operand, i) => {
    if (operand instanceof Tensor) return
    const fix = operand instanceof TracedOperand ? `use ${name} outside` : 'wrap it with tensor(…)'
    throw wrongOperand(name, i, `is ${described(operand)}`, fix)
  })
}

/** Throws unless an operand that is no tensor is a JavaScript value that can be an element. */
export function checkLiteral(name: string, i: number, value: unknown): void {
  const kind = typeof value
  if (kind === 'number' || kind === 'bigint' || kind === 'boolean' || kind === 'string') return
  if (isReal(value)) return
  const fix = isOptions(value) ? 'operands come first, options behind them' : 'wrap it with tensor(…)'
  throw wrongOperand(name, i, `is ${described(value)}`, fix)
}

/** Whether a value is an exact rational; says how to load their arithmetic where it looks like one. */
const isReal = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !isOptions(value) &&
  's' in value &&
  'n' in value &&
  'd' in value &&
  realArithmetic().is(value)
