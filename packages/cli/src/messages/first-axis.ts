// The rule of MATLAB, Octave and Julia: shapes line up at their first axis, and ones go to the end of the shorter one.
// bcast has it as Paddle's rule from axis 0 on, and for a shape that does not change as pdpd from axis 0 on.
import { paddle, pdpd, type SymbolicShape } from 'bcast'
import type { Found } from './form.ts'

const ALIGNED = "shapes line up at the first axis, as bcast's rule"

/** Shapes that were to meet. */
export const firstAxisFinding = (shapes: readonly SymbolicShape[], place: string, accepted?: string): Found => ({
  kind: 'shapes',
  shapes,
  rule: paddle({ axis: 0 }),
  where: `${place}; ${ALIGNED} paddle(axis=0) has it`,
  ...(accepted === undefined ? {} : { accepted }),
})

/** A shape that was to become another one, which does not change. */
export const ontoFirstAxisFinding = (into: SymbolicShape, from: SymbolicShape, letters: string): Found => ({
  kind: 'shapes',
  shapes: [into, from],
  rule: pdpd({ axis: 0 }),
  where: `${letters}; ${ALIGNED} pdpd(axis=0) has it`,
})
