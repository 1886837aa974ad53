// One run: ask bcast, ask each engine, compare, and give every disagreement its cause.
import type { Answer, Case } from './case.ts'
import type { Cause } from './causes/cause.ts'
import { causeOf, causes } from './causes/index.ts'
import { compare, type Disagreement } from './compare.ts'
import { askEngine, EngineError } from './engine.ts'
import { type Engine, engines } from './engines.ts'
import { EXPRESSIONS, judgeExpressions } from './expressions/judge.ts'
import { generate } from './generate.ts'
import { GRADIENTS, judgeGradients } from './gradients/judge.ts'
import { clean } from './install.ts'
import { ourAnswer } from './ours.ts'
import { type Finding, type Report, writePage } from './report.ts'
import { answerTexts, inputText, readingCost } from './show.ts'

export interface Settings {
  readonly names: readonly string[]
  readonly cases: number
  readonly seed: number
  readonly write: boolean
  readonly clean: boolean
}

const simpler = (x: Disagreement, y: Disagreement): boolean => readingCost(x) < readingCost(y)

async function report(
  engine: Engine,
  named: boolean,
  cases: readonly Case[],
  ours: ReadonlyMap<number, Answer>,
): Promise<Report> {
  const asked = cases.filter((question) => engine.takes(question))
  const command = await engine.prepare(named)
  const { version, answers } = await askEngine(command, asked, (question) => engine.alone?.(question) === true)
  const groups = new Map<Cause, { cases: Set<number>; example: Disagreement }>()
  const unexplained: Disagreement[] = []
  let unsupported = 0
  let agreed = 0
  for (const question of asked) {
    const theirs = answers.get(question.id)!
    if (theirs.kind === 'unsupported') {
      unsupported++
      continue
    }
    const disagreements = compare(engine.name, question, ours.get(question.id)!, theirs)
    if (disagreements.length === 0) agreed++
    for (const disagreement of disagreements) {
      const cause = causeOf(disagreement)
      if (cause === undefined) {
        unexplained.push(disagreement)
        continue
      }
      const group = groups.get(cause)
      if (group === undefined) groups.set(cause, { cases: new Set([question.id]), example: disagreement })
      else {
        group.cases.add(question.id)
        if (simpler(disagreement, group.example)) group.example = disagreement
      }
    }
  }
  const findings = causes.flatMap((cause): Finding[] => {
    const group = groups.get(cause)
    return group === undefined ? [] : [{ cause, count: group.cases.size, example: group.example }]
  })
  return { engine, version, asked: asked.length, unsupported, agreed, findings, unexplained }
}

/** What cannot be explained, the smallest of each kind. */
function printUnexplained(unexplained: readonly Disagreement[]): void {
  const groups = new Map<string, Disagreement[]>()
  for (const disagreement of unexplained) {
    const { nature, question, difference } = disagreement
    const types = question.kind === 'compute' ? [...new Set(question.inputs.map(({ dtype }) => dtype))].join('/') : ''
    const key = `${difference?.defect === true ? 'DEFECT OF BCAST: ' : ''}${nature} ${question.op} ${question.rule.name} ${types}`
    groups.set(key, [...(groups.get(key) ?? []), disagreement])
  }
  for (const [key, group] of groups) {
    const example = group.reduce((least, each) => (simpler(each, least) ? each : least))
    const { theirs, ours } = answerTexts(example)
    console.log(`  UNEXPLAINED ${key} (${group.length}), case ${example.question.id}`)
    console.log(`    ${inputText(example)}`)
    console.log(`    its answer ${theirs}`)
    console.log(`    ours       ${ours}`)
  }
}

function print({ engine, version, asked, unsupported, agreed, findings, unexplained }: Report): void {
  console.log(`${engine.name} ${version}: ${asked} cases, ${agreed} agree, ${unsupported} unsupported`)
  for (const { cause, count } of findings) console.log(`  ${String(count).padStart(5)}  ${cause.id}`)
  printUnexplained(unexplained)
}

/** Runs the judges; the exit code is 1 when something is unexplained. */
export async function judge(settings: Settings): Promise<number> {
  if (settings.clean) {
    await clean()
    if (settings.names.length === 0) return 0
  }
  const cases = generate(settings.cases, settings.seed)
  const ours = new Map(cases.map((question) => [question.id, ourAnswer(question)]))
  const reports: Report[] = []
  for (const engine of engines) {
    const named = settings.names.includes(engine.name)
    if (settings.names.length > 0 && !named) continue
    try {
      const made = await report(engine, named, cases, ours)
      print(made)
      reports.push(made)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      console.log(`${engine.name}: skipped, ${error.message}`)
    }
  }
  if (settings.write) await writePage(reports)
  let alike = true
  for (const [name, judging] of [
    [GRADIENTS, judgeGradients],
    [EXPRESSIONS, judgeExpressions],
  ] as const) {
    const named = settings.names.includes(name)
    if (settings.names.length === 0 || named) alike = (await judging(settings, named)) && alike
  }
  return alike && reports.every(({ unexplained }) => unexplained.length === 0) ? 0 : 1
}
