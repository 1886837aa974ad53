// A question that came out of a message or a fix, as if it had been typed: whoever changes its rule goes on from there.
import { answer, recognised } from './answers.ts'
import { asked, type State } from './state.ts'
import { optionsOf, shapesText } from './typed.ts'

/** The state with the question that is shown now as what was typed. */
export function rebased(state: State): State {
  const now = answer.peek()
  if (now?.kind !== 'answer') return state
  if (recognised.peek().kind === 'shapes' && state.fix === undefined) return state
  const { shapes, rule, onto } = now.question
  return asked(state, { text: shapesText(shapes), rule: optionsOf(rule), onto })
}
