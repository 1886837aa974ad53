// Random expressions beside PyTorch: values, and gradients by automatic differentiation. What differs is asked again with
// our documented decisions in the place of PyTorch's; what still differs fails the command.
import type { Answer } from '../case.ts'
import { elementText } from '../elements.ts'
import { askEngine, type Command, EngineError } from '../engine.ts'
import { torchExpressions } from '../engines.ts'
import { type Judged, judgeParts, type Part, type Verdict } from './difference.ts'
import { type ExpressionCase, expressionText, operatorsIn } from './expression.ts'
import { expressionCases } from './generate.ts'
import { type Ours, ourExpression } from './ours.ts'

/** What the command calls this judge. */
export const EXPRESSIONS = 'torch-expressions'

interface PartsAnswer {
  readonly kind: 'parts'
  readonly parts: readonly Part[]
}

interface Open {
  readonly question: ExpressionCase
  readonly text: string
}

const differenceText = ({ part, at, ours, theirs, exact }: Judged): string =>
  `${part === 0 ? 'the value' : `the gradient of operand ${part - 1}`} at ${at}: its answer ${elementText(theirs)}, ours ${elementText(ours)}, in float64 ${elementText(exact)}`

type TheirAnswer = Answer | PartsAnswer

/** Elements as both have them; a text where an answer is wrong as a whole, undefined where there is none. */
function judged(question: ExpressionCase, ours: Ours, answer: TheirAnswer): readonly Judged[] | string | undefined {
  if (answer.kind === 'unsupported') return undefined
  if (answer.kind === 'parts') return judgeParts(question, ours.parts, answer.parts)
  return `it answers ${answer.kind}${'text' in answer ? `: ${answer.text}` : ''}`
}

const differing = (elements: readonly Judged[]): Judged | undefined =>
  elements.find(({ verdict }) => verdict === 'different')

class Tally {
  readonly verdicts = new Map<Verdict, number>()
  /** How many expressions agree once one operator, or several, are taken with our decisions. */
  readonly explained = new Map<string, number>()
  readonly open: Open[] = []
  compared = 0
  unsupported = 0

  count(elements: readonly Judged[]): void {
    this.compared++
    for (const { verdict } of elements) this.verdicts.set(verdict, (this.verdicts.get(verdict) ?? 0) + 1)
  }

  explain(operator: string): void {
    this.explained.set(operator, (this.explained.get(operator) ?? 0) + 1)
  }
}

function print(version: string, asked: number, { compared, unsupported, explained, verdicts, open }: Tally): void {
  const of = (verdict: Verdict): number => verdicts.get(verdict) ?? 0
  const line = (count: number, text: string): void => console.log(`  ${String(count).padStart(5)}  ${text}`)
  const elements = [...verdicts.values()].reduce((sum, each) => sum + each, 0)
  console.log(
    `${EXPRESSIONS} ${version}: ${asked} expressions, ${compared} compared (${elements} elements), ${unsupported} unsupported`,
  )
  for (const [operator, count] of [...explained].sort(([, x], [, y]) => y - x)) {
    line(count, `expressions agree once our decisions stand in for ${operator}`)
  }
  line(of('nearer'), 'elements differ, and ours is as near to what float64 gives')
  line(of('undecided'), 'elements differ by what roundings become there')
  // The shortest say most.
  const sorted = open.toSorted((x, y) => x.question.steps.length - y.question.steps.length)
  for (const { question, text } of sorted.slice(0, 20)) {
    console.log(`  UNEXPLAINED case ${question.id}: ${expressionText(question)}\n    ${text}`)
  }
  if (open.length > 20) console.log(`  and ${open.length - 20} more`)
}

/** Gives those that differ their cause: the operator whose decision makes them agree, or all of them together. */
async function explain(
  command: Command,
  questions: ReadonlyMap<ExpressionCase, string>,
  ours: ReadonlyMap<number, Ours>,
  tally: Tally,
): Promise<void> {
  const asked = [...questions.keys()].flatMap((question) => {
    const operators = operatorsIn(question)
    return [...operators.map((operator) => [operator]), operators].map((documented) => ({ question, documented }))
  })
  const cases = asked.map(({ question, documented }, id) => ({ ...question, documented, id }))
  const { answers } = await askEngine<ExpressionCase, PartsAnswer>(command, cases)
  for (const [question, first] of questions) {
    let last = ''
    const cause = asked.findIndex(({ question: own }, id) => {
      if (own !== question) return false
      const elements = judged(question, ours.get(question.id)!, answers.get(id)!)
      if (typeof elements !== 'object') return false
      const different = differing(elements)
      if (different === undefined) tally.count(elements)
      else last = differenceText(different)
      return different === undefined
    })
    if (cause < 0) tally.open.push({ question, text: `${first}\n    with our decisions, ${last}` })
    else tally.explain(asked[cause]!.documented.length === 1 ? asked[cause]!.documented[0]! : 'several operators')
  }
}

/** Whether PyTorch and bcast agree, but for what is documented. */
export async function judgeExpressions(
  { cases, seed }: { readonly cases: number; readonly seed: number },
  named: boolean,
): Promise<boolean> {
  try {
    const command = await torchExpressions(named)
    const asked = expressionCases(cases, seed)
    const tally = new Tally()
    const ours = new Map(asked.map((question) => [question.id, ourExpression(question)]))
    for (const question of asked) {
      for (const text of ours.get(question.id)!.defects) tally.open.push({ question, text: `DEFECT OF BCAST: ${text}` })
    }
    const sound = asked.filter(({ id }) => ours.get(id)!.parts.length > 0)
    const { version, answers } = await askEngine<ExpressionCase, PartsAnswer>(command, sound)
    const differences = new Map<ExpressionCase, string>()
    for (const question of sound) {
      const elements = judged(question, ours.get(question.id)!, answers.get(question.id)!)
      if (elements === undefined) tally.unsupported++
      else if (typeof elements === 'string') tally.open.push({ question, text: elements })
      else {
        const different = differing(elements)
        if (different === undefined) tally.count(elements)
        else differences.set(question, differenceText(different))
      }
    }
    await explain(command, differences, ours, tally)
    print(version, asked.length, tally)
    return tally.open.length === 0
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    console.log(`${EXPRESSIONS}: skipped, ${error.message}`)
    return true
  }
}
