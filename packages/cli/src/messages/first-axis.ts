// The rule of MATLAB, Octave and Julia: shapes line up at their first axis, and ones go to the end of the shorter one.
// bcast has it as Paddle's rule from axis 0 on.
import { paddle, type SymbolicShape } from 'bcast'
import type { Found } from './form.ts'

/** Shapes that were to meet. */
export const firstAxisFinding = (shapes: readonly SymbolicShape[], place: string, accepted: string): Found => ({
  kind: 'shapes',
  shapes,
  rule: paddle({ axis: 0 }),
  where: `${place}; shapes line up at the first axis, as bcast's rule paddle(axis=0) has it`,
  accepted,
})
