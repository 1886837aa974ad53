// Shapes and rules as they are typed and chosen: what the field and the address take.
import type { RuleOptions } from '@bcast/cli/shapes'
import type { Rule, SymbolicShape } from 'bcast'
import { dimText } from '../picture/table.ts'

/** Shapes as they are typed. */
export const shapesText = (shapes: readonly SymbolicShape[]): string =>
  shapes
    .map((shape) => {
      if (shape === null) return '?…'
      // A name by itself would be a word.
      if (shape.length === 0 || (shape.length === 1 && typeof shape[0] === 'string'))
        return `(${shape.map(dimText).join()})`
      return shape.map(dimText).join(',')
    })
    .join('  ')

/** A rule as the options that choose it. */
export function optionsOf({ name, options }: Pick<Rule, 'name' | 'options'>): RuleOptions {
  const { axis, axesMapping, broadcastAxes, strict, untrimmed, innerOnes, broadcast } = options as Record<string, never>
  const all: Record<string, unknown> = {
    ...{ rule: name === 'numpy' ? undefined : name, axis: axis === -1 ? undefined : axis },
    ...{ axes: axesMapping, newAxes: broadcastAxes, innerOnes },
    ...{ strict: strict === true ? true : undefined, untrimmed: untrimmed === true ? true : undefined },
    broadcast: broadcast === false ? '0' : undefined,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}
