// The examples of doc comments in the playground: an example is run, and the shapes and the rule of the outermost call
// that brings shapes together are what the playground opens with.
import type { RuleOptions } from '@bcast/cli/shapes'
import * as bcast from 'bcast'
import { initial, type State } from '../../src/state/state.ts'

interface Asked {
  readonly shapes: readonly bcast.SymbolicShape[]
  readonly rule: bcast.Rule | undefined
}

const isShape = (value: unknown): value is bcast.SymbolicShape =>
  value === null ||
  (Array.isArray(value) && value.every((size) => typeof size === 'number' || typeof size === 'string'))

const isRule = (value: unknown): value is bcast.Rule =>
  typeof value === 'object' && value !== null && 'name' in value && 'options' in value

/** The operands of a call and its rule; undefined where it brings no two shapes together. */
function askedBy(args: readonly unknown[], takesShapes: boolean): Asked | undefined {
  const options = args.find((arg) => typeof arg === 'object' && arg !== null && 'broadcast' in arg) as
    | { readonly broadcast: unknown }
    | undefined
  if (options !== undefined && !isRule(options.broadcast)) return undefined
  const listed = Array.isArray(args[0]) && args[0].every(isShape) ? (args[0] as readonly unknown[]) : args
  const shapes = takesShapes
    ? listed.filter(isShape)
    : args.flatMap((arg) => (arg instanceof bcast.Tensor ? [arg.shape] : typeof arg === 'number' ? [[]] : []))
  return shapes.length < 2 || shapes.length > 6 ? undefined : { shapes, rule: options?.broadcast as bcast.Rule }
}

const ruleOptions = ({ name, options }: bcast.Rule): RuleOptions => {
  const given = options as Readonly<Record<string, unknown>>
  const renamed: Readonly<Record<string, string>> = { axesMapping: 'axes', broadcastAxes: 'newAxes' }
  const entries = Object.entries(given).map(([key, value]) => [
    renamed[key] ?? key,
    key === 'broadcast' ? (value === true ? '1' : '0') : value,
  ])
  return { rule: name, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== false)) }
}

const shapeText = (shape: bcast.SymbolicShape): string => (shape === null ? '…' : `(${shape.join(',')})`)

/** What the playground shows of an example; undefined where it is about something else. */
export function exampleState(example: string): State | undefined {
  let asked: Asked | undefined
  const watched = Object.entries(bcast).map(([name, value]): readonly [string, unknown] => {
    const takesShapes = name === 'explain' || name === 'broadcastShapes'
    const operator = Object.hasOwn(bcast.operators, name)
    if (!takesShapes && !operator && name !== 'broadcast') return [name, value]
    const call = value as (...args: readonly unknown[]) => unknown
    const rule = operator ? bcast.operators[name as bcast.OperatorName].rule : undefined
    const watching = (...args: readonly unknown[]): unknown => {
      const result = call(...args)
      const found = askedBy(args, takesShapes)
      // The outermost call is the last to end.
      asked = found === undefined ? undefined : { ...found, rule: found.rule ?? rule }
      return result
    }
    return [name, Object.assign(watching, value)]
  })
  const lines = example.split('\n').filter((line) => line.trim() !== '')
  for (const line of lines) {
    const [expression] = line.split(' // ')
    const evaluate = new Function(...watched.map(([name]) => name), `return (${expression})`)
    evaluate(...watched.map(([, value]) => value))
    if (asked !== undefined) break
  }
  if (asked === undefined) return undefined
  const { shapes, rule } = asked
  const text = shapes.map(shapeText).join('  ')
  return { ...initial, text, rule: rule === undefined || rule.name === 'numpy' ? {} : ruleOptions(rule) }
}
