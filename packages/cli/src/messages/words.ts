// What a message that was read means, in words and for programs. Shapes that are known get the whole explanation;
// of what is not known it says so, and how to learn it.
import { type Dim, type Explanation, explain, formatConditions, ShapeError } from 'bcast'
import { type ExplanationJson, explanationJson } from '../explain/explanation-json.ts'
import { type Finding, type Framework, frameworks, fromFirstAxis, MOST_AXES } from './form.ts'
import type { Reading } from './read.ts'

/** A reading with what follows from it. */
export interface Explained {
  readonly reading: Reading
  /** Of the shapes, or of the two sizes by themselves: that they fail does not depend on the rest of the shapes. */
  readonly explanation: Explanation | undefined
  readonly verdict: Explanation['verdict']
}

function explanationOf(finding: Finding): Explanation | undefined {
  if (finding.kind === 'shapes') return explain(finding.shapes, { broadcast: finding.rule })
  if (finding.kind !== 'sizes') return undefined
  const { sizes, axis = 0 } = finding
  if (axis >= MOST_AXES) throw new ShapeError(`axis ${axis}, and at most ${MOST_AXES} axes.`, axis)
  return explain(sizes.map((size) => [size]))
}

/** What a message is about whose shapes were not all read. */
const UNREAD = 'unread shapes'

/** A message that shapes cannot be taken from after all. */
const without = (reading: Reading, about: string, text: string): Explained => ({
  reading: { ...reading, finding: { kind: 'other', about, text } },
  explanation: undefined,
  verdict: 'error',
})

export function explained(reading: Reading): Explained {
  try {
    const explanation = explanationOf(reading.finding)
    const verdict = explanation?.verdict ?? 'error'
    // Shapes that fail do so whatever comes with them; that they meet would have to hold for all.
    if (verdict === 'error' || reading.unread === undefined) return { reading, explanation, verdict }
    const text = `the message goes on with ${reading.unread}, and what that shape is to the others bcast does not know, so it does not say whether they meet.`
    return without(reading, UNREAD, text)
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    // A log may be damaged in one place; what the rest says is still worth an answer.
    return without(reading, 'damaged', `the message is damaged, or no tensor's: ${error.message}`)
  }
}

const dimText = (dim: Dim): string => (dim === null ? '?' : String(dim))

type Sizes = Extract<Finding, { kind: 'sizes' }>

function sizesPicture({ sizes, names, axis }: Sizes, isConflict: boolean): string[] {
  const width = Math.max(...names.map((name) => name.length), 'axis'.length)
  const before = Array.from({ length: axis ?? 0 }, (_, place) => place)
  const line = (label: string, cells: readonly unknown[], last: string, end: string): string =>
    `  ${label.padEnd(width)}  ${cells.map((cell) => String(cell).padStart(3)).join('')}${last.padStart(6)}${end}`.trimEnd()
  const mark = isConflict ? '!' : ' '
  return [
    line('axis', before, `${axis ?? '?'} `, ''),
    ...names.map((name, i) =>
      line(
        name,
        before.map(() => '?'),
        `${dimText(sizes[i]!)}${mark}`,
        '  …',
      ),
    ),
    `  (${[...(isConflict ? ['! conflict'] : []), '? not in the message', '… more axes may follow'].join(', ')})`,
  ]
}

/** What a message that does not have all the shapes tells, in words. */
export interface Telling {
  readonly sentence: string
  /** What follows besides. */
  readonly known?: string | undefined
  /** How to learn the shapes. */
  readonly next?: string
  /** Whether the shapes themselves are asked for: nothing more follows from the message. */
  readonly asksShapes: boolean
  /** The framework, where it lines shapes up at their first axis. */
  readonly fromFirst: string | undefined
}

function sizesTelling(finding: Sizes, framework: Framework, { verdict, conditions }: Explanation): string {
  const { sizes, axis } = finding
  const place = axis === undefined ? 'on an axis that the message does not name' : `on axis ${axis} from the left`
  const meet = `${dimText(sizes[0])} meets ${dimText(sizes[1])} ${finding.place ?? place}`
  return {
    error: `cannot broadcast: ${meet}; sizes that meet must be equal or 1, whatever the rest of the shapes`,
    conditional: `${meet}; it holds if ${formatConditions(conditions)}`,
    ok: `${meet}, and sizes that are equal or 1 do meet; it is ${frameworks[framework]} that refuses it`,
  }[verdict]
}

/** What a message tells whose shapes are not known; undefined for one that has them. */
export function tellingOf({ reading: { finding, framework }, explanation }: Explained): Telling | undefined {
  const fromFirst = fromFirstAxis.has(framework) ? frameworks[framework] : undefined
  switch (finding.kind) {
    case 'shapes':
      return undefined
    case 'sizes': {
      const { known, next } = finding
      return { sentence: sizesTelling(finding, framework, explanation!), known, next, asksShapes: true, fromFirst }
    }
    case 'silent': {
      const sentence = 'shapes that do not meet, and the message does not name them'
      return { sentence, next: finding.next, asksShapes: true, fromFirst }
    }
    case 'other':
      return { sentence: finding.text, asksShapes: finding.about === UNREAD, fromFirst }
  }
}

/** How to go on with shapes, under the rule of the framework. */
const thenText = (fromFirst: string | undefined): string =>
  fromFirst === undefined
    ? 'Then: bcast explain SHAPE SHAPE'
    : `Then: bcast explain SHAPE SHAPE --rule paddle --axis 0, which lines shapes up at the first axis as ${fromFirst} does`

/** Fixes that the framework can make: it has one rule, and no other can be asked for. */
const ownFixes = ({ rule, fixes }: Explanation): Explanation['fixes'] => fixes.filter((fix) => fix.rule.label === rule)

function shapesText(explanation: Explanation, framework: Framework, accepted: string | undefined): string {
  const { rule, verdict } = explanation
  if (verdict !== 'ok') return explanation.toString({ fixes: ownFixes(explanation) })
  const refused = `these shapes meet under the rule ${rule}; it is ${frameworks[framework]} that refuses them here.`
  return `${explanation}\n\nnote: ${accepted ?? refused}`
}

function findingText(one: Explained): string {
  const { finding, framework } = one.reading
  if (finding.kind === 'shapes') return shapesText(one.explanation!, framework, finding.accepted)
  const { sentence, known, next, asksShapes, fromFirst } = tellingOf(one)!
  switch (finding.kind) {
    case 'sizes':
      return [
        ...[sentence, '', ...sizesPicture(finding, one.verdict === 'error'), ''],
        ...(known === undefined ? [] : [known]),
        `Not in the message: the shapes. To see them: ${next}. ${thenText(fromFirst)}`,
      ].join('\n')
    case 'silent':
      return `${sentence}. To see them: ${next}. ${thenText(fromFirst)}`
    case 'other':
      return asksShapes ? `${sentence} Give the shapes themselves: bcast explain SHAPE SHAPE` : sentence
  }
}

export function readingText(one: Explained): string {
  const { framework, text, where } = one.reading
  const head = `${frameworks[framework]}: ${text}`
  return [head, ...(where === undefined ? [] : [where]), '', findingText(one)].join('\n')
}

/** Messages of one wording that are explained; a log may have one for every batch, each with its own sizes. */
const MOST_ALIKE = 3

/** Whether a message is among the first of its wording. */
function* firstOfEach(all: readonly Explained[]): Generator<Explained> {
  const seen = new Map<string, number>()
  for (const one of all) {
    const wording = `${one.reading.framework} ${one.reading.form}`
    const count = (seen.get(wording) ?? 0) + 1
    seen.set(wording, count)
    if (count <= MOST_ALIKE) yield one
  }
}

/** How many messages say what. */
function summaryText(all: readonly Explained[], told: number): string {
  const words = { error: 'fail', conditional: 'depend on sizes', ok: 'hold' } as const
  const list = (Object.keys(words) as Explanation['verdict'][]).flatMap((verdict) => {
    const count = all.filter((one) => one.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${words[verdict]}`]
  })
  const rest = all.length - told
  const more = rest === 0 ? '' : `; ${rest} of the same wording as others are not explained here, --all explains them`
  return `${all.length} messages: ${list.join(', ')}${more}`
}

/** The messages of a text, and how many they are. */
export function readingsText(all: readonly Explained[], isWhole: boolean): string {
  const told = isWhole ? all : [...firstOfEach(all)]
  const texts = told.map(readingText)
  return [...texts, ...(all.length > 1 ? [summaryText(all, told.length)] : [])].join('\n\n\n')
}

export interface ReadingJson {
  readonly framework: Framework
  /** The wording, by a name that stays the same. */
  readonly form: string
  readonly text: string
  readonly where: string | null
  /** How much the message says: whole shapes, two sizes, nothing of the shapes; or it is about something else. */
  readonly kind: Finding['kind']
  readonly verdict: Explanation['verdict']
  /** For kind `shapes`. */
  readonly explanation: ExplanationJson | null
  /** For kind `sizes`. */
  readonly sizes: readonly Dim[] | null
  /** For kind `sizes`: the axis of the result, counted from the left. */
  readonly axis: number | null
  /** What it is about, for kind `other`. */
  readonly about: string | null
}

export function readingJson({ reading, explanation, verdict }: Explained): ReadingJson {
  const { framework, form, text, where, finding } = reading
  return {
    ...{ framework, form, text, where: where ?? null, kind: finding.kind, verdict },
    explanation: finding.kind === 'shapes' ? explanationJson(explanation!, ownFixes(explanation!)) : null,
    sizes: finding.kind === 'sizes' ? finding.sizes : null,
    axis: finding.kind === 'sizes' ? (finding.axis ?? null) : null,
    about: finding.kind === 'other' ? finding.about : null,
  }
}
