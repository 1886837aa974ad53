// `explain`: why a broadcast holds or fails, axis by axis, and what would fix it. A plain value that prints as
// aligned text; errors carry one, so what a program reads and what a person sees never differ.
import { OperandError, ShapeError } from '../errors/index.ts'
import { checkSymbolicShape, type Dim, formatDim, formatShape, type SymbolicShape } from './dim.ts'
import type { Fix } from './fix.ts'
import { findFixes, outerProductFixes } from './fixes.ts'
import { type Alignment, operandName, type Rule } from './rule.ts'
import { type RuleOption, ruleOf } from './rule-option.ts'
import { numpy } from './rules/index.ts'
import { type Condition, formatConditions } from './symbolic/condition.ts'
import { infer } from './symbolic/infer.ts'

/** What an operand does on one axis of the result. */
export type Role = 'same' | 'stretched' | 'padded' | 'conflict' | 'unknown'

export interface Cell {
  /** The operand's size on this axis; undefined where it is padded. */
  readonly size: Dim | undefined
  readonly role: Role
}

export interface AxisRow {
  /** Counted from the right: -1 is the last. */
  readonly axis: number
  readonly operands: readonly Cell[]
  /** The result's size; undefined when the broadcast fails. */
  readonly result: Dim | undefined
}

export interface ExplainOptions {
  readonly broadcast?: RuleOption
  /** The operand that one-way rules keep; the first by default. */
  readonly onto?: number
}

interface Fields {
  readonly verdict: 'ok' | 'conditional' | 'error'
  readonly rule: string
  readonly clause: string
  readonly requirement: string
  readonly shapes: readonly SymbolicShape[]
  readonly shape: SymbolicShape | undefined
  readonly axes: readonly AxisRow[]
  readonly conditions: readonly Condition[]
  readonly failure:
    | { readonly sentence: string; readonly operands: readonly number[]; readonly axis: number | undefined }
    | undefined
  readonly warning: string | undefined
  readonly fixes: readonly Fix[]
}

export class Explanation implements Fields {
  readonly verdict: Fields['verdict']
  /** The rule as it prints: `pdpd(axis=1)`. */
  readonly rule: string
  /** The clause of the document that decides. */
  readonly clause: string
  /** What the rule demands, in words. */
  readonly requirement: string
  readonly shapes: readonly SymbolicShape[]
  /** The result's shape (`null`: rank unknown); undefined when the broadcast fails. */
  readonly shape: SymbolicShape | undefined
  /** From the left axis to the right; empty when ranks are unknown or do not fit. */
  readonly axes: readonly AxisRow[]
  /** What must hold besides; empty unless the verdict is conditional. */
  readonly conditions: readonly Condition[]
  /** What fails, and where. */
  readonly failure: Fields['failure']
  /** Something that holds and is rarely meant. */
  readonly warning: string | undefined
  /** Changes that make it hold, smallest first; each was tried. */
  readonly fixes: readonly Fix[]

  constructor(fields: Fields) {
    this.verdict = fields.verdict
    this.rule = fields.rule
    this.clause = fields.clause
    this.requirement = fields.requirement
    this.shapes = fields.shapes
    this.shape = fields.shape
    this.axes = fields.axes
    this.conditions = fields.conditions
    this.failure = fields.failure
    this.warning = fields.warning
    this.fixes = fields.fixes
  }

  toString(): string {
    return format(this)
  }
}

// Node's console shows the text instead of the fields; a computed member cannot be declared in the class itself.
Object.defineProperty(Explanation.prototype, Symbol.for('nodejs.util.inspect.custom'), {
  value(this: Explanation): string {
    return this.toString()
  },
})

function rowsOf(
  shapes: readonly (readonly Dim[])[],
  alignment: Alignment,
  result: SymbolicShape | undefined,
  failure: Fields['failure'],
): AxisRow[] {
  return Array.from({ length: alignment.rank }, (_, place): AxisRow => {
    const axis = place - alignment.rank
    const size = result?.[place]
    const operands = shapes.map((shape, operand): Cell => {
      const own = alignment.axes[operand]!.indexOf(place)
      if (own < 0) return { size: undefined, role: 'padded' }
      const dim = shape[own]!
      if (failure?.axis === axis && failure.operands.includes(operand)) return { size: dim, role: 'conflict' }
      return { size: dim, role: roleOf(dim, size) }
    })
    return { axis, operands, result: size }
  })
}

function roleOf(dim: Dim, result: Dim | undefined): Role {
  if (dim === 1) return result === 1 || result === undefined ? 'same' : 'stretched'
  if (typeof dim === 'number' || (typeof dim === 'string' && dim === result)) return 'same'
  return 'unknown'
}

const WARN_OUTER = 'both operands stretch, so every element of one meets every element of the other'

/** Explains how shapes meet under a rule (numpy unless said). Shapes may be symbolic. */
export function explain(shapes: readonly SymbolicShape[], options: ExplainOptions = {}): Explanation {
  const rule = ruleOf(options.broadcast, numpy)
  const { onto = 0 } = options
  if (!Array.isArray(shapes)) throw new ShapeError('explain takes an array of shapes, such as [[2, 3], [3]].', shapes)
  for (const [operand, shape] of shapes.entries()) checkSymbolicShape(shape, `shape of ${operandName(operand)}`)
  if (onto !== 0 && !(Number.isInteger(onto) && onto > 0 && onto < shapes.length)) {
    throw new OperandError(`onto is ${onto}; it is the number of one of the ${shapes.length} operands, counted from 0.`)
  }
  return explainRule(rule, shapes, onto)
}

/** The same for checked shapes and a rule at hand. */
export function explainRule(rule: Rule, shapes: readonly SymbolicShape[], onto: number): Explanation {
  const outcome = infer(rule, shapes, onto)
  const ranked = shapes.every((shape) => shape !== null) ? (shapes as readonly (readonly Dim[])[]) : undefined
  const failure = outcome.verdict === 'error' ? outcome.failure : undefined
  const shape = outcome.verdict === 'error' ? undefined : outcome.shape
  const { alignment } = outcome
  const known = ranked !== undefined && alignment !== undefined
  const axes = known ? rowsOf(ranked, alignment, shape, failure) : []
  const outer = known && shape !== undefined ? outerProductFixes({ rule, shapes: ranked, onto }, shape, alignment) : []
  const failing = ranked !== undefined && failure !== undefined && shapes.length > 1
  return new Explanation({
    verdict: outcome.verdict,
    rule: rule.label,
    clause: rule.clause,
    requirement: rule.requirement,
    shapes,
    shape,
    axes,
    conditions: outcome.verdict === 'conditional' ? outcome.conditions : [],
    failure,
    warning: outer.length > 0 ? WARN_OUTER : undefined,
    fixes: failing ? findFixes({ rule, shapes: ranked, onto }) : outer,
  })
}

const MAX_OPERANDS_SHOWN = 12
const MAX_CONDITIONS_SHOWN = 12

/** The aligned picture: one line an operand, one column an axis, marks under the column that fails. */
function picture({ shapes, axes, shape, failure }: Explanation): string[] {
  const shown = Math.min(shapes.length, MAX_OPERANDS_SHOWN)
  const labels = [...shapes.slice(0, shown).map((_, i) => operandName(i)), 'result']
  const width = Math.max(...labels.map((label) => label.length))
  if (axes.length === 0) {
    const given = shapes.slice(0, shown).map((s, i) => `${labels[i]!.padEnd(width)}  ${formatShape(s)}`)
    return shape === undefined ? given : [...given, `${'result'.padEnd(width)}  ${formatShape(shape)}`]
  }
  const marks: Record<Role, string> = { same: ' ', stretched: '*', padded: ' ', conflict: '!', unknown: ' ' }
  const cell = ({ size, role }: Cell): string => (size === undefined ? '' : formatDim(size)) + marks[role]
  const columns = axes.map((row) => {
    const texts = [
      ...row.operands.slice(0, shown).map(cell),
      row.result === undefined ? '' : `${formatDim(row.result)} `,
    ]
    const most = Math.max(...texts.map((text) => text.length), `${row.axis} `.length)
    return [`${row.axis} `, ...texts].map((text) => text.padStart(most))
  })
  const line = (label: string, i: number): string =>
    `${label.padEnd(width)} ${columns.map((column) => ` ${column[i]}`).join('')}`.trimEnd()
  const lines = [line('axis', 0), ...labels.slice(0, -1).map((label, i) => line(label, i + 1))]
  if (shapes.length > shown) lines.push(`… and ${shapes.length - shown} more`)
  if (failure === undefined) lines.push(line('result', shown + 1))
  return lines
}

function legend({ axes }: Explanation): string | undefined {
  const roles = new Set(axes.flatMap(({ operands }) => operands.map(({ role }) => role)))
  const words = [...(roles.has('stretched') ? ['* stretched'] : []), ...(roles.has('conflict') ? ['! conflict'] : [])]
  return words.length === 0 ? undefined : `(${words.join(', ')})`
}

function format(explanation: Explanation): string {
  const { verdict, shapes, rule, shape, conditions, failure, requirement, clause, warning, fixes } = explanation
  const given = shapes.length > MAX_OPERANDS_SHOWN ? `${shapes.length} shapes` : shapes.map(formatShape).join(' with ')
  const lines: string[] = []
  if (verdict === 'error') lines.push(failure!.sentence)
  else {
    const verb = shapes.length > MAX_OPERANDS_SHOWN ? 'give' : 'gives'
    const holds = `${given || 'nothing'} under ${rule} ${verb} ${formatShape(shape!)}`
    lines.push(verdict === 'ok' ? holds : `${holds}; it holds if ${formatConditions(conditions, MAX_CONDITIONS_SHOWN)}`)
  }
  lines.push('', ...picture(explanation).map((line) => `  ${line}`))
  const marks = legend(explanation)
  if (marks !== undefined) lines.push(`  ${marks}`)
  if (verdict === 'error') lines.push('', `rule ${rule}: ${requirement} [${clause}]`)
  if (warning !== undefined) lines.push('', `note: ${warning}`)
  for (const fix of fixes) {
    const condition = fix.verdict === 'conditional' ? ', conditionally' : ''
    lines.push(
      `${verdict === 'error' ? 'fix' : 'or'}: ${fix.text} → ${formatShape(fix.result)}${condition}   ${fix.code}`,
    )
  }
  return lines.join('\n')
}
