// Random expressions beside PyTorch: values, and gradients by automatic differentiation. What differs is asked again with
// our documented decisions in the place of PyTorch's; what still differs fails the command.
import { elementText } from '../elements.ts'
import { askEngine, EngineError } from '../engine.ts'
import { torchExpressions } from '../engines.ts'
import { type Judged, judgeParts, type Part, type Verdict } from './difference.ts'
import { type ExpressionCase, expressionText } from './expression.ts'
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

class Tally {
  readonly verdicts = new Map<Verdict, number>()
  readonly open: Open[] = []
  compared = 0
  unsupported = 0
  explained = 0
  /** What differed before, by the case. */
  readonly first = new Map<number, string>()

  /** Counts one answer; false where it differs. */
  take(question: ExpressionCase, ours: Ours, answer: PartsAnswer | { kind: string; text?: string }): boolean {
    if (answer.kind === 'unsupported') {
      this.unsupported++
      return true
    }
    if (!('parts' in answer)) {
      this.open.push({ question, text: `it answers ${answer.kind}: ${answer.text}` })
      return true
    }
    const judged = judgeParts(question, ours.parts, answer.parts)
    if (typeof judged === 'string') {
      this.open.push({ question, text: judged })
      return true
    }
    const different = judged.find(({ verdict }) => verdict === 'different')
    if (different !== undefined && !question.documented) {
      this.first.set(question.id, differenceText(different))
      return false
    }
    this.compared++
    for (const { verdict } of judged) this.verdicts.set(verdict, (this.verdicts.get(verdict) ?? 0) + 1)
    if (different !== undefined) {
      const both = [this.first.get(question.id), `with our decisions, ${differenceText(different)}`]
      this.open.push({ question, text: both.join('\n    ') })
    } else if (question.documented) this.explained++
    return true
  }
}

function print(version: string, asked: number, { compared, unsupported, explained, verdicts, open }: Tally): void {
  const of = (verdict: Verdict): number => verdicts.get(verdict) ?? 0
  const elements = [...verdicts.values()].reduce((sum, each) => sum + each, 0)
  console.log(
    `${EXPRESSIONS} ${version}: ${asked} expressions, ${compared} compared (${elements} elements), ${unsupported} unsupported`,
  )
  console.log(`  ${String(explained).padStart(5)}  expressions agree once documented decisions stand in for its own`)
  console.log(`  ${String(of('nearer')).padStart(5)}  elements differ, and ours is as near to what float64 gives`)
  console.log(`  ${String(of('undecided')).padStart(5)}  elements differ by what roundings become there`)
  // The shortest say most.
  const sorted = open.toSorted((x, y) => x.question.steps.length - y.question.steps.length)
  for (const { question, text } of sorted.slice(0, 20)) {
    console.log(`  UNEXPLAINED case ${question.id}: ${expressionText(question)}\n    ${text}`)
  }
  if (open.length > 20) console.log(`  and ${open.length - 20} more`)
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
    const differing = sound
      .filter((question) => !tally.take(question, ours.get(question.id)!, answers.get(question.id)!))
      .map((question) => ({ ...question, documented: true }))
    const again = await askEngine<ExpressionCase, PartsAnswer>(command, differing)
    for (const question of differing) tally.take(question, ours.get(question.id)!, again.answers.get(question.id)!)
    print(version, asked.length, tally)
    return tally.open.length === 0
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    console.log(`${EXPRESSIONS}: skipped, ${error.message}`)
    return true
  }
}
