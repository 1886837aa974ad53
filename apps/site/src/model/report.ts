// A check as the page shows it: plain data that goes from the worker to the page. Words are those of the library's own
// reports.
import {
  type CheckedBroadcast,
  type CheckReport,
  externalLocations,
  type FindingId,
  groupFindings,
  nodeLabel,
  patternsOf,
  pictureOf,
  profiles,
  reportJson,
  shapeText,
  stretchSummary,
  summaryOf,
  type ToldFinding,
  type Verdict,
} from '@bcast/onnx'
import type { Rule } from 'bcast'
import { type ShortName, shortened, shortNames } from './short-names.ts'

export interface ModelReport {
  readonly file: string
  readonly bytes: number
  /** IR version, operator sets, nodes. */
  readonly about: string
  readonly profile: string
  /** Profiles that it can be held against. */
  readonly profiles: readonly string[]
  readonly passes: boolean
  readonly summary: string
  readonly verdicts: Readonly<Record<Verdict, number>>
  readonly rows: readonly Row[]
  /** What long names of sizes are called in the rows. */
  readonly names: readonly ShortName[]
  readonly kinds: readonly FindingKind[]
  /** Files that hold weights, and whether they came with the model. */
  readonly external: readonly { readonly location: string; readonly given: boolean }[]
}

/** A broadcast of the model. */
export interface Row {
  readonly verdict: Verdict
  readonly operator: string
  /** Its node in words: `node 3 "add" (Add)`. */
  readonly label: string
  /** Of each operand, with short names. */
  readonly shapes: readonly string[]
  /** The same as the model has them. */
  readonly wholeShapes: readonly string[]
  /** What stretches and what that takes, or what must hold; with short names, and as the model has them. */
  readonly how: string
  readonly wholeHow: string
  /** How operands stretch, by name. */
  readonly patterns: readonly string[]
  readonly findings: readonly FindingId[]
  /** Everything that a search looks at, in small letters. */
  readonly searched: string
  readonly asked: AskedShapes
  readonly operands: readonly { readonly name: string; readonly producer: string }[]
}

/** The broadcast as it is typed into the field. */
export interface AskedShapes {
  readonly shapes: readonly (readonly (number | string)[] | null)[]
  readonly rule: Pick<Rule, 'name' | 'options'>
  /** What its names stand for, where they are made up: `a = 2*N + 1`. */
  readonly legend: readonly string[]
}

export interface FindingKind {
  readonly severity: 'error' | 'warning' | 'note'
  readonly id: FindingId
  readonly findings: readonly FindingCard[]
  readonly rest: (FindingCard & { readonly causes: number }) | undefined
}

export interface FindingCard {
  readonly message: string
  readonly count: number
  readonly also: string
  readonly picture: readonly string[]
  readonly clause: string
  readonly fixes: readonly string[]
  /** The row of its broadcast, where it has one. */
  readonly row: number | undefined
}

/** Names that can be typed; anything longer is given a letter. */
const TYPED = /^[A-Za-z_]\w{0,15}$/

/** Sizes of a model are expressions; in the field they are numbers and names. */
function typed({ meeting }: CheckedBroadcast, rule: Rule): AskedShapes {
  const { shapes } = meeting.explanation
  const given = shapes.flatMap((shape) => (shape ?? []).filter((dim) => typeof dim === 'string'))
  const taken = new Set(given.filter((name) => TYPED.test(name)))
  const long = new Map(meeting.legend().map((line) => line.split(' = ', 2) as [string, string]))
  const names = new Map<string, string>()
  const legend: string[] = []
  const nameOf = (text: string): string => {
    const known = TYPED.test(text) ? text : names.get(text)
    if (known !== undefined) return known
    let letter = 0
    const named = (): string =>
      `${String.fromCharCode(97 + (letter % 26))}${letter < 26 ? '' : Math.floor(letter / 26)}`
    while (taken.has(named())) letter++
    const name = named()
    taken.add(name)
    names.set(text, name)
    legend.push(`${name} = ${long.get(text) ?? text}`)
    return name
  }
  const asked = shapes.map(
    (shape) => shape?.map((dim) => (typeof dim === 'number' ? dim : nameOf(String(dim)))) ?? null,
  )
  return { shapes: asked, rule: { name: rule.name, options: rule.options }, legend }
}

/** Letters of a picture's lines and the rest of a finding. */
function cardOf({ first, count, also }: ToldFinding, rowOf: (broadcast: CheckedBroadcast) => number): FindingCard {
  const { message, clause, severity, fixes, broadcast } = first
  return {
    ...{ message, count, also, picture: pictureOf(first), clause: severity === 'error' ? clause : '' },
    fixes: fixes.map(
      ({ text, uncovers }) => `${text}${uncovers.length === 0 ? '' : `; then ${uncovers.join(', ')} fails`}`,
    ),
    row: broadcast === undefined ? undefined : rowOf(broadcast),
  }
}

/** What was found at each node, for each walk through its scope. */
function findingsByNode({ findings }: CheckReport): (broadcast: CheckedBroadcast) => readonly FindingId[] {
  const found = new Map<object, Map<object | undefined, Set<FindingId>>>()
  for (const { node, frame, id } of findings) {
    if (node === undefined) continue
    const frames = found.get(node) ?? new Map<object | undefined, Set<FindingId>>()
    found.set(node, frames)
    frames.set(frame, (frames.get(frame) ?? new Set()).add(id))
  }
  return ({ node, frame }) => [...(found.get(node)?.get(frame) ?? [])]
}

function rowsOf(report: CheckReport, names: readonly ShortName[]): Row[] {
  const findingsOf = findingsByNode(report)
  const { broadcasts } = reportJson(report)
  const short = shortened(names)
  return report.broadcasts.map((broadcast, i): Row => {
    const { node, verdict, operands } = broadcast
    const { rule } = report.inference.broadcasts[i]!
    const wholeShapes = operands.map(({ shape }) => shapeText(shape))
    const shapes = wholeShapes.map(short)
    const wholeHow = stretchSummary(broadcast)
    const label = nodeLabel(node)
    const patterns = new Set(patternsOf(broadcast).filter((pattern) => pattern !== undefined))
    const named = broadcasts[i]!.operands.map(({ name, producer }) => ({ name, producer }))
    return {
      ...{ verdict, operator: node.opType, label, shapes, wholeShapes, patterns: [...patterns] },
      ...{ how: short(wholeHow), wholeHow },
      findings: findingsOf(broadcast),
      searched: [label, ...shapes, ...wholeShapes, ...node.outputs, ...named.map(({ name }) => name)]
        .join('\n')
        .toLowerCase(),
      asked: typed(broadcast, rule),
      operands: named,
    }
  })
}

/** The report of a model in a file, of which those in `given` came with it. */
export function modelReport(
  report: CheckReport,
  { file, bytes, given }: { readonly file: string; readonly bytes: number; readonly given: ReadonlySet<string> },
): ModelReport {
  const { model, profile, passes, verdicts, broadcasts, findings } = report
  const numbers = new Map(broadcasts.map((broadcast, i) => [broadcast, i]))
  const rowOf = (broadcast: CheckedBroadcast): number => numbers.get(broadcast)!
  const opsets = [...model.opsets].map(([domain, version]) => `${domain || 'ai.onnx'} ${version}`).join(', ')
  const nodes = model.graph.nodes.length
  const names = shortNames(broadcasts.flatMap(({ operands }) => operands.map(({ shape }) => shapeText(shape))))
  return {
    ...{
      file,
      bytes,
      profile: profile.name,
      profiles: Object.keys(profiles),
      passes,
      summary: summaryOf(report),
      verdicts,
    },
    about: `${nodes} ${nodes === 1 ? 'node' : 'nodes'}; IR version ${model.irVersion}; operator sets ${opsets}`,
    ...{ rows: rowsOf(report, names), names },
    kinds: groupFindings(findings).map(({ severity, id, told, rest }) => ({
      ...{ severity, id, findings: told.map((finding) => cardOf(finding, rowOf)) },
      rest: rest === undefined ? undefined : { ...cardOf(rest, rowOf), causes: rest.causes },
    })),
    external: [...externalLocations(model)].map((location) => ({ location, given: given.has(location) })),
  }
}
