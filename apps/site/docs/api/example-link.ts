// The examples of doc comments in the playground: an example is run, and the outermost call that brings shapes together
// is what the playground opens with; that of an operator with its values.
import type { RuleOptions } from '@bcast/cli/shapes'
import * as bcast from 'bcast'
import { initial, type State } from '../../src/state/state.ts'
import { indicesOf, keyOf } from '../../src/values/compute.ts'

interface Call {
  readonly name: string
  readonly args: readonly unknown[]
}

const MOST_SHAPES = 6
/** Longer addresses are no longer looked at. */
const MOST_VALUES = 40

const isOperator = (name: string): name is bcast.OperatorName => Object.hasOwn(bcast.operators, name)
const takesShapes = (name: string): boolean => name === 'explain' || name === 'broadcastShapes'

/** The outermost call of an example that is about shapes; undefined where none is. */
function callIn(example: string): Call | undefined {
  let last: Call | undefined
  const watched = Object.entries(bcast).map(([name, value]): readonly [string, unknown] => {
    if (!takesShapes(name) && !isOperator(name) && name !== 'broadcast') return [name, value]
    const watching = (...args: readonly unknown[]): unknown => {
      const result = (value as (...given: readonly unknown[]) => unknown)(...args)
      // The outermost is the last to end.
      last = { name, args }
      return result
    }
    return [name, Object.assign(watching, value)]
  })
  const [expression] = example.split('\n')[0]!.split(' // ')
  const evaluate = new Function(...watched.map(([name]) => name), `return (${expression})`)
  evaluate(...watched.map(([, value]) => value))
  return last
}

const isShape = (value: unknown): value is bcast.SymbolicShape =>
  value === null || (Array.isArray(value) && value.every((size) => !Array.isArray(size)))

interface Options {
  readonly broadcast?: unknown
}

const isOptions = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** What addresses call the options of a rule. */
const RENAMED: Readonly<Record<string, string>> = { axesMapping: 'axes', broadcastAxes: 'newAxes' }

function ruleOptions({ name, options }: bcast.Rule): RuleOptions {
  const entries = Object.entries(options as Readonly<Record<string, unknown>>)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => [RENAMED[key] ?? key, key === 'broadcast' ? '1' : value])
  return name === 'numpy' ? {} : { rule: name, ...Object.fromEntries(entries) }
}

const shapeText = (shape: bcast.SymbolicShape): string => (shape === null ? '…' : `(${shape.join(',')})`)

/** The operands of an operator as the view of values has them; undefined where it could not show the same. */
function valuesOf(name: bcast.OperatorName, args: readonly unknown[]): Partial<State> | undefined {
  const { types } = bcast.operators[name]
  const operands = args.filter((arg) => arg instanceof bcast.Tensor || typeof arg === 'number')
  if (operands.length < args.length - 1 || operands.length > MOST_SHAPES) return undefined
  const shared = operands.filter((operand, i) => i !== types.own?.operand && operand instanceof bcast.Tensor)
  const dtypes = new Set(shared.map((operand) => (operand as bcast.Tensor).dtype))
  if (dtypes.size !== 1) return undefined
  const values = operands.flatMap((operand, i) => {
    if (!(operand instanceof bcast.Tensor)) return [[keyOf(i, []), String(operand)] as const]
    return indicesOf(operand.shape).map((index) => [keyOf(i, index), String(operand.get(...index))] as const)
  })
  if (values.length > MOST_VALUES) return undefined
  return { view: 'values', operator: name, dtype: [...dtypes][0]!, values: Object.fromEntries(values) }
}

/** What the playground shows of an example; undefined where it is about something else. */
export function exampleState(example: string): State | undefined {
  const call = callIn(example)
  // What is called inside a call of something else is not what the example is about.
  if (call === undefined || !example.startsWith(`${call.name}(`)) return undefined
  const { name, args } = call
  const options = args.find(isOptions)
  // An attribute, or a rule by its name alone, is nothing that an address holds.
  if (options !== undefined && Object.keys(options).some((key) => key !== 'broadcast')) return undefined
  if (typeof options?.broadcast === 'string') return undefined
  const listed = Array.isArray(args[0]) && args[0].every(isShape) ? (args[0] as readonly unknown[]) : args
  const shapes = takesShapes(name)
    ? listed.filter(isShape)
    : args.flatMap((arg) => (arg instanceof bcast.Tensor ? [arg.shape] : typeof arg === 'number' ? [[]] : []))
  if (shapes.length === 0 || shapes.length > MOST_SHAPES) return undefined
  const rule = (options?.broadcast ?? (isOperator(name) ? bcast.operators[name].rule : bcast.numpy)) as bcast.Rule
  const values = isOperator(name) ? valuesOf(name, args) : undefined
  if (values === undefined && shapes.length === 1) return undefined
  return { ...initial, text: shapes.map(shapeText).join('  '), rule: ruleOptions(rule), ...values }
}
