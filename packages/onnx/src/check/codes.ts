// Everything that a check can find, by a name that stays the same. docs/findings.md lists them; a test keeps the two in
// step.
import { type FindingCode, structureSeverities } from '../structure/finding.ts'

/** How much a finding counts; `off` leaves it out. A report passes that has no error. */
export type Severity = 'error' | 'warning' | 'note' | 'off'

/** Found by the meaning of nodes; those of `checkStructure` come on top. Severities are those of profile `onnx`. */
const meaning = {
  /** Shapes that do not meet under the operator's rule. */
  'broadcast-error': 'error',
  /** A PRelu slope that would enlarge X. */
  'prelu-enlarges-x': 'error',
  /** A C of Gemm that would enlarge the product. */
  'gemm-c-enlarges': 'error',
  /** A node that cannot be, for another reason than a broadcast. */
  'impossible-node': 'error',
  'integer-division-by-zero': 'error',
  /** A node that fails with the sizes that were given, and only with them, in a branch that may not be taken. */
  'branch-does-not-fit': 'warning',
  /** A name of the file that stands for sizes that differ. */
  'dim-param-contradiction': 'error',
  /** A value of more axes than the profile's target takes. */
  'rank-limit': 'error',
  'declared-shape-differs': 'warning',
  /** Sizes of an input that the caller gives and the file declares otherwise. */
  'input-size-differs': 'warning',
  /** Inputs that were taken to be their default, which a run may replace. */
  'default-assumed': 'note',
  /** (N) with (N,1): every element of one meets every element of the other. */
  'outer-product': 'warning',
  /** A slope that other engines put on another axis. */
  'prelu-ambiguous-slope': 'warning',
  /** The attributes `broadcast` and `axis` of operator sets before 7. */
  'legacy-axis': 'warning',
  /** The same attributes where the operator set has no such thing any more. */
  'ignored-attribute': 'warning',
  /** Inference gave up on a part of the model. */
  incomplete: 'warning',
  /** Whether shapes meet depends on sizes that are open. */
  'broadcast-conditional': 'note',
  /** A node that needs sizes to be equal which are open. */
  'sizes-conditional': 'note',
  /** A broadcast of which a shape is not known. */
  'broadcast-unknown': 'note',
  'both-stretch': 'note',
  /** A vector C of Gemm beside a square product: per column, though per row would fit too. */
  'gemm-c-ambiguous': 'note',
  /** A broadcast that the profile does not allow. */
  'implicit-broadcast': 'error',
  /** An operator that the profile needs and does not specify. */
  'no-specification': 'off',
  'sparse-tensor': 'off',
} as const

/** The stable id of a finding, as `docs/findings.md` lists them. */
export type FindingId = keyof typeof meaning | FindingCode

/** How severe each finding is. */
export const findingSeverities: Readonly<Record<FindingId, Severity>> = { ...structureSeverities, ...meaning }
