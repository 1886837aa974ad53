// Why a broadcast holds or fails, axis by axis, and what would fix it. A plain value that prints as aligned text;
// errors carry one, so what a program reads and what a person sees never differ.
import { type Dim, formatDim, formatShape, type SymbolicShape } from './dim.ts'
import type { Fix } from './fix.ts'
import type { Inference } from './inference.ts'
import { type Alignment, operandName, type Rule } from './rule.ts'
import type { Condition } from './symbolic/condition.ts'

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

/** A line of the aligned picture. */
export interface PictureLine {
  readonly text: string
  /** The operand whose line it is; undefined for every other line. */
  readonly operand: number | undefined
}

/** How fixes are told. */
export interface Wording {
  /** Those to name; all by default. */
  readonly fixes?: readonly Fix[]
  /** One as it is written where the text is read; as JavaScript by default. */
  readonly code?: (fix: Fix) => string
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
  declare readonly verdict: Fields['verdict']
  /** The rule as it prints: `pdpd(axis=1)`. */
  declare readonly rule: string
  /** The clause of the document that decides. */
  declare readonly clause: string
  /** What the rule demands, in words. */
  declare readonly requirement: string
  declare readonly shapes: readonly SymbolicShape[]
  /** The result's shape (`null`: rank unknown); undefined when the broadcast fails. */
  declare readonly shape: SymbolicShape | undefined
  /** From the left axis to the right; empty when ranks are unknown or do not fit. */
  declare readonly axes: readonly AxisRow[]
  /** What must hold besides; empty unless the verdict is conditional. */
  declare readonly conditions: readonly Condition[]
  /** What fails, and where. */
  declare readonly failure: Fields['failure']
  /** Something that holds and is rarely meant. */
  declare readonly warning: string | undefined
  /** Changes that make it hold, smallest first; each was tried. */
  declare readonly fixes: readonly Fix[]

  /** The conditions in words. */
  readonly #holdsIf: string

  /** @internal Explanations are made by `explain` and by operators that fail. */
  constructor(fields: Fields, holdsIf = '') {
    this.#holdsIf = holdsIf
    Object.assign(this, fields)
  }

  /** The verdict in one sentence, without its full stop. */
  get sentence(): string {
    return sentenceOf(this, this.#holdsIf)
  }

  /** The shapes as they meet, line by line, and what its marks mean. */
  get picture(): readonly PictureLine[] {
    return pictureOf(this)
  }

  /** What follows below the sentence: the picture, the rule that is broken, what is rarely meant, fixes. */
  details(wording: Wording = {}): string {
    return detailsOf(this, wording)
  }

  toString(wording: Wording = {}): string {
    return `${this.sentence}\n${this.details(wording)}`
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

/** What an explanation holds besides the outcome. */
export interface Remarks {
  readonly fixes: readonly Fix[]
  readonly warning?: string | undefined
  /** The conditions in words, where there are any. */
  readonly holdsIf?: string
}

/** The explanation of an outcome. */
export function explanationOf(
  rule: Rule,
  shapes: readonly SymbolicShape[],
  outcome: Inference,
  { fixes, warning, holdsIf }: Remarks,
): Explanation {
  const ranked = shapes.every((shape) => shape !== null) ? (shapes as readonly (readonly Dim[])[]) : undefined
  const { verdict, alignment } = outcome
  const failure = verdict === 'error' ? outcome.failure : undefined
  const shape = verdict === 'error' ? undefined : outcome.shape
  const fields: Fields = {
    verdict,
    rule: rule.label,
    clause: rule.clause,
    requirement: rule.requirement,
    shapes,
    shape,
    axes: ranked === undefined || alignment === undefined ? [] : rowsOf(ranked, alignment, shape, failure),
    conditions: verdict === 'conditional' ? outcome.conditions : [],
    failure,
    warning,
    fixes,
  }
  return new Explanation(fields, holdsIf)
}

const MAX_OPERANDS_SHOWN = 12

/** The aligned picture: one line an operand, one column an axis, marks under the column that fails. */
function pictureOf(explanation: Explanation): PictureLine[] {
  const { shapes, axes, shape, failure } = explanation
  const shown = Math.min(shapes.length, MAX_OPERANDS_SHOWN)
  const labels = [...shapes.slice(0, shown).map((_, i) => operandName(i)), 'result']
  const width = Math.max(...labels.map((label) => label.length))
  const other = (text: string): PictureLine => ({ text, operand: undefined })
  if (axes.length === 0) {
    const given = shapes
      .slice(0, shown)
      .map((s, operand) => ({ text: `${labels[operand]!.padEnd(width)}  ${formatShape(s)}`, operand }))
    return shape === undefined ? given : [...given, other(`${'result'.padEnd(width)}  ${formatShape(shape)}`)]
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
  const lines = [
    other(line('axis', 0)),
    ...labels.slice(0, -1).map((label, operand) => ({ text: line(label, operand + 1), operand })),
  ]
  if (shapes.length > shown) lines.push(other(`… and ${shapes.length - shown} more`))
  if (failure === undefined) lines.push(other(line('result', shown + 1)))
  const legend = legendOf(axes)
  return legend === undefined ? lines : [...lines, other(legend)]
}

function legendOf(axes: readonly AxisRow[]): string | undefined {
  const roles = new Set(axes.flatMap(({ operands }) => operands.map(({ role }) => role)))
  const words = [...(roles.has('stretched') ? ['* stretched'] : []), ...(roles.has('conflict') ? ['! conflict'] : [])]
  return words.length === 0 ? undefined : `(${words.join(', ')})`
}

function sentenceOf({ verdict, shapes, rule, shape, failure }: Explanation, holdsIf: string): string {
  if (failure !== undefined) return failure.sentence
  const isMany = shapes.length > MAX_OPERANDS_SHOWN
  const given = isMany ? `${shapes.length} shapes` : shapes.map(formatShape).join(' with ') || 'nothing'
  const holds = `${given} under ${rule} ${isMany ? 'give' : 'gives'} ${formatShape(shape!)}`
  return verdict === 'ok' ? holds : `${holds}; it holds if ${holdsIf}`
}

function detailsOf(explanation: Explanation, { fixes = explanation.fixes, code = codeOf }: Wording): string {
  const { verdict, rule, requirement, clause, warning } = explanation
  const lines = ['', ...explanation.picture.map(({ text }) => `  ${text}`)]
  if (verdict === 'error') lines.push('', `rule ${rule}: ${requirement} [${clause}]`)
  if (warning !== undefined) lines.push('', `note: ${warning}`)
  for (const fix of fixes) {
    const condition = fix.verdict === 'conditional' ? ', conditionally' : ''
    lines.push(
      `${verdict === 'error' ? 'fix' : 'or'}: ${fix.text} → ${formatShape(fix.result)}${condition}   ${code(fix)}`,
    )
  }
  return lines.join('\n')
}

const codeOf = ({ code }: Fix): string => code
