// Derivatives of operators beside PyTorch's automatic differentiation: every operator that has one, over random and
// special elements, and the table of kinks. A difference without a known cause fails the command.
import type { TensorData } from '../case.ts'
import { elementsOf, elementText } from '../elements.ts'
import { askEngine, EngineError } from '../engine.ts'
import { torchGradients } from '../engines.ts'
import { type GradientCase, gradientCases } from './case.ts'
import { gradientCauses } from './causes.ts'
import { alike, type Difference } from './difference.ts'
import { ourGradient } from './ours.ts'

/** What the command calls this judge. */
export const GRADIENTS = 'torch-gradients'

const numbers = (tensor: TensorData): number[] => elementsOf(tensor) as number[]

const describe = ({ question, operands, delta, ours, theirs }: Difference): string =>
  `${question.op} ${JSON.stringify(question.attrs)} of (${operands.map(elementText).join(', ')}) in ${question.delta.dtype}, by operand ${question.by}, gradient ${elementText(delta)}: its answer ${elementText(theirs)}, ours ${elementText(ours)}`

/** Every element with what PyTorch and bcast make of it. */
function differencesOf(question: GradientCase, theirs: TensorData): Difference[] {
  const lists = question.inputs.map((input) => elementsOf(input) as (number | boolean)[])
  const [deltas, mine, other] = [question.delta, ourGradient(question), theirs].map(numbers) as [
    number[],
    number[],
    number[],
  ]
  return mine.map((ours, at) => ({
    question,
    operands: lists.map((list) => list[at]!),
    delta: deltas[at]!,
    ours,
    theirs: other[at]!,
  }))
}

/** Whether PyTorch and bcast agree, but for known causes. */
export async function judgeGradients(
  { cases, seed }: { readonly cases: number; readonly seed: number },
  named: boolean,
): Promise<boolean> {
  const asked = gradientCases(cases, seed)
  try {
    const { version, answers } = await askEngine(await torchGradients(named), asked)
    const explained = new Map<string, number>()
    const open: string[] = []
    let elements = 0
    let unsupported = 0
    for (const question of asked) {
      const answer = answers.get(question.id)!
      if (answer.kind === 'unsupported') unsupported++
      else if (answer.kind !== 'tensor') open.push(`${question.op}: ${'text' in answer ? answer.text : answer.kind}`)
      else if (answer.tensor.dtype !== question.inputs[question.by]!.dtype) open.push(`${question.op}: another type`)
      else {
        const all = differencesOf(question, answer.tensor)
        elements += all.length
        const { known } = question
        if (known !== undefined) {
          // The table says what PyTorch gives, whether we differ or not.
          const wrong = all.filter((each, at) => !alike({ ...each, ours: known[at]! }))
          open.push(...wrong.map((each) => `the table of kinks is wrong: ${describe(each)}`))
          continue
        }
        for (const difference of all.filter((each) => !alike(each))) {
          const cause = gradientCauses.find(({ explains }) => explains(difference))
          if (cause === undefined) open.push(describe(difference))
          else explained.set(cause.id, (explained.get(cause.id) ?? 0) + 1)
        }
      }
    }
    console.log(`${GRADIENTS} ${version}: ${asked.length} cases, ${elements} elements, ${unsupported} unsupported`)
    for (const { id } of gradientCauses) console.log(`  ${String(explained.get(id) ?? 0).padStart(5)}  ${id}`)
    for (const text of open.slice(0, 20)) console.log(`  UNEXPLAINED ${text}`)
    if (open.length > 20) console.log(`  and ${open.length - 20} more`)
    return open.length === 0
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    console.log(`${GRADIENTS}: skipped, ${error.message}`)
    return true
  }
}
