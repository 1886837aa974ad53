// A question that came out of a message or a fix, as if it had been typed: whoever changes its rule goes on from there.
import type { RuleOptions } from '@bcast/cli/shapes'
import type { Rule, SymbolicShape } from 'bcast'
import { dimText } from '../picture/table.ts'
import { answer, recognised } from './answers.ts'
import { asked, type State } from './state.ts'

/** Shapes as they are typed. */
export const shapesText = (shapes: readonly SymbolicShape[]): string =>
  shapes
    .map((shape) => {
      if (shape === null) return '?…'
      return shape.length === 0 ? '()' : shape.map(dimText).join(',')
    })
    .join('  ')

/** A rule as the options that choose it. */
export function optionsOf({ name, options }: Rule): RuleOptions {
  const { axis, axesMapping, broadcastAxes, strict, untrimmed, innerOnes, broadcast } = options as Record<string, never>
  const all: Record<string, unknown> = {
    ...{ rule: name === 'numpy' ? undefined : name, axis: axis === -1 ? undefined : axis },
    ...{ axes: axesMapping, newAxes: broadcastAxes, innerOnes },
    ...{ strict: strict === true ? true : undefined, untrimmed: untrimmed === true ? true : undefined },
    broadcast: broadcast === false ? '0' : undefined,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** The state with the question that is shown now as what was typed. */
export function rebased(state: State): State {
  const now = answer.peek()
  if (now?.kind !== 'answer') return state
  if (recognised.peek().kind === 'shapes' && state.fix === undefined) return state
  const { shapes, rule, onto } = now.question
  return asked(state, { text: shapesText(shapes), rule: optionsOf(rule), onto })
}
