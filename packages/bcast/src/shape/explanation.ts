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

/** What `explain` gives: a verdict, the axes one by one, a reason and fixes. It prints as a table. */
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
    const { verdict, shapes, rule, shape, failure } = this
    if (failure !== undefined) return failure.sentence
    const isMany = shapes.length > MAX_OPERANDS_SHOWN
    const given = isMany ? `${shapes.length} shapes` : shapes.map(formatShape).join(' with ') || 'nothing'
    const holds = `${given} under ${rule} ${isMany ? 'give' : 'gives'} ${formatShape(shape!)}`
    return verdict === 'ok' ? holds : `${holds}; it holds if ${this.#holdsIf}`
  }

  /** The shapes as they meet, line by line, and what its marks mean: one line an operand, one column an axis. */
  get picture(): readonly PictureLine[] {
    const { shapes, axes, shape, failure } = this
    const shown = shapes.slice(0, MAX_OPERANDS_SHOWN)
    const labels = ['axis', ...shown.map((_, i) => operandName(i)), 'result']
    const width = Math.max(...labels.slice(1).map((label) => label.length))
    const columns =
      axes.length === 0
        ? [['', ...[...shown, shape === undefined ? [] : shape].map(formatShape)]]
        : axes.map(({ axis, operands, result }) => {
            const cells = [`${axis} `, ...operands.slice(0, shown.length).map(cellText), sizeText(result, ' ')]
            const most = Math.max(...cells.map((cell) => cell.length))
            return cells.map((cell) => cell.padStart(most))
          })
    const lines = labels.map((label, i): PictureLine => {
      const text = `${label.padEnd(width)} ${columns.map((column) => ` ${column[i]}`).join('')}`.trimEnd()
      return { text, operand: i > 0 && i <= shown.length ? i - 1 : undefined }
    })
    const [head, ...operands] = lines
    const result = operands.pop()!
    const legend = legendOf(axes)
    const more = shapes.length - shown.length
    return [
      ...(axes.length > 0 ? [head!] : []),
      ...operands,
      ...(axes.length > 0 && more > 0 ? [other(`… and ${more} more`)] : []),
      ...(failure === undefined ? [result] : []),
      ...(legend === '' ? [] : [other(legend)]),
    ]
  }

  /** What follows below the sentence: the picture, the rule that is broken, what is rarely meant, fixes. */
  details({ fixes = this.fixes, code = codeOf }: Wording = {}): string {
    const isError = this.verdict === 'error'
    const lines = ['', ...this.picture.map(({ text }) => `  ${text}`)]
    if (isError) lines.push('', `rule ${this.rule}: ${this.requirement} [${this.clause}]`)
    if (this.warning !== undefined) lines.push('', `note: ${this.warning}`)
    for (const fix of fixes) {
      const condition = fix.verdict === 'conditional' ? ', conditionally' : ''
      lines.push(`${isError ? 'fix' : 'or'}: ${fix.text} → ${formatShape(fix.result)}${condition}   ${code(fix)}`)
    }
    return lines.join('\n')
  }

  toString(wording: Wording = {}): string {
    return `${this.sentence}\n${this.details(wording)}`
  }
}

const codeOf = ({ code }: Fix): string => code

const MAX_OPERANDS_SHOWN = 12

const MARKS: Partial<Record<Role, string>> = { stretched: '*', conflict: '!' }

const sizeText = (size: Dim | undefined, mark: string): string => (size === undefined ? '' : formatDim(size)) + mark

const cellText = ({ size, role }: Cell): string => sizeText(size, MARKS[role] ?? ' ')

const other = (text: string): PictureLine => ({ text, operand: undefined })

/** What the marks mean that stand in the picture; nothing where there are none. */
function legendOf(axes: readonly AxisRow[]): string {
  const roles = new Set(axes.flatMap(({ operands }) => operands.map(({ role }) => role)))
  const words = (['stretched', 'conflict'] as const).flatMap((role) =>
    roles.has(role) ? `${MARKS[role]} ${role}` : [],
  )
  return words.length === 0 ? '' : `(${words.join(', ')})`
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
