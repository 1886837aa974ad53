// OpenVINO's shape rules and evaluation where they leave its document.
import type { ComputeCase } from '../case.ts'
import type { Disagreement } from '../compare.ts'
import {
  accepts,
  all,
  type Cause,
  crash,
  hasEmpty,
  natureIs,
  opIs,
  refuses,
  ruleIs,
  shapesOf,
  type Test,
  textHas,
  value,
} from './cause.ts'

const BOTH = ['openvino', 'openvino-cpu']
const PDPD = ruleIs('pdpd')
const BROADCAST = opIs('Broadcast')
const notBroadcast: Test = ({ question }) => question.op !== 'Broadcast'

/** Ranks of A and B, also of symbolic shapes; -1 where unknown. */
const ranks = ({ question }: Disagreement): readonly number[] =>
  question.kind === 'compute'
    ? question.inputs.map(({ shape }) => shape.length)
    : question.shapes.map((shape) => shape?.length ?? -1)

/** axis + rank(B) passes rank(A) while B's trailing ones are still counted. */
const untrimmedTooLong: Test = (disagreement) => {
  const [a = 0, b = 0] = ranks(disagreement)
  const { axis = -1 } = disagreement.question.rule
  return axis >= 0 && axis + b > a
}

/** Where data of Broadcast would start and end in the target. */
const reach = ({ question }: Disagreement): { start: number; end: number; rank: number } => {
  const { rule, inputs = [], target = [] } = question as Partial<ComputeCase> & Pick<ComputeCase, 'rule'>
  const rank = inputs[0]?.shape.length ?? 0
  const start = rule.axis === undefined || rule.axis === -1 ? target.length - rank : rule.axis
  return { start, end: start + rank, rank: target.length }
}

/** Data of Broadcast starts behind the target's last axis. */
const startsOutside: Test = (disagreement) => {
  const { start, rank } = reach(disagreement)
  return start >= rank
}

/** Data of Broadcast ends behind the target's last axis, trailing ones counted. */
const endsOutside: Test = (disagreement) => {
  const { end, rank } = reach(disagreement)
  return end > rank
}

const hasZeroSize: Test = (disagreement) => shapesOf(disagreement).some((shape) => shape.includes(0))

export const openvino: readonly Cause[] = [
  {
    id: 'pdpd-untrimmed',
    engines: BOTH,
    what: 'pdpd: axis + rank(B) must fit before B’s trailing ones are ignored.',
    decides:
      'Document, PDPD rule 5: trailing ones of B are ignored [openvino.pdpd.5]; `pdpd({ untrimmed: true })` is OpenVINO’s check.',
    explains: all(refuses, PDPD, notBroadcast, untrimmedTooLong),
  },
  {
    id: 'pdpd-zero-sizes',
    engines: BOTH,
    what: 'pdpd: a 1 of B does not go onto a 0 of A, and a 0 of B makes a 1 of A into 0.',
    decides: 'Decision: B’s 1 stretches to A’s 0; A never changes, so B’s 0 onto A’s 1 is an error [openvino.pdpd.3].',
    explains: all(natureIs('refuses', 'accepts'), PDPD, notBroadcast, hasZeroSize),
  },
  {
    id: 'pdpd-grows-an-interval',
    engines: ['openvino'],
    what: 'pdpd: a size of B that is only known as an interval may enlarge A’s 1.',
    decides: 'Document, PDPD rule 3: B goes onto A [openvino.pdpd.3].',
    explains: all(accepts, PDPD, ({ question }) => question.kind === 'infer'),
  },
  {
    id: 'select-pdpd-misaligned',
    engines: BOTH,
    what: 'Select under pdpd reads the condition or `else` at the wrong place when they are smaller than `then`, or end in ones.',
    decides: 'Document: PDPD aligns at axis = rank(A) - rank(B) [openvino.pdpd.4].',
    explains: all(value, opIs('Where'), PDPD),
  },
  {
    id: 'broadcast-pdpd-axis-outside',
    engines: BOTH,
    what: 'Broadcast in mode pdpd: an axis that the target does not have is taken, and data then lies at its end.',
    decides: 'Document, PDPD rule 3: axis is the index of the dimension of A at which B starts [openvino.pdpd.3].',
    explains: all(accepts, BROADCAST, PDPD, startsOutside),
  },
  {
    id: 'broadcast-pdpd-untrimmed',
    engines: BOTH,
    what: 'Broadcast in mode pdpd: trailing ones of data that pass the target’s last axis are not ignored; elements land in the wrong place, memory behind data is read, or it fails.',
    decides: 'Document, PDPD rule 5: trailing ones of B are ignored, so (3,1) is (3) [openvino.pdpd.5].',
    explains: all(natureIs('value', 'refuses', 'crash'), BROADCAST, PDPD, endsOutside),
  },
  {
    id: 'broadcast-pdpd-short-data',
    engines: BOTH,
    what: 'Broadcast in mode pdpd: data that ends before the target does is refused (“Accessing out-of-range dimension”).',
    decides:
      'Document, PDPD rule 3: B may be any run of A [openvino.pdpd.3]; the mode is not documented for Broadcast.',
    explains: all(refuses, BROADCAST, PDPD),
  },
  {
    id: 'broadcast-pdpd-grows',
    engines: BOTH,
    what: 'Broadcast in mode pdpd: data may be larger than the target, in size and in rank.',
    decides:
      'Document, PDPD rules 1 and 3: B is not larger than A, and A keeps its shape [openvino.pdpd.1, openvino.pdpd.3].',
    explains: all(natureIs('accepts', 'shape'), BROADCAST, PDPD),
  },
  {
    id: 'explicit-duplicate-axes',
    engines: BOTH,
    what: 'Broadcast in mode explicit: an axis that is named twice passes.',
    decides: 'OpenVINO Broadcast: axes_mapping names one output axis for each input axis, without transposition.',
    explains: all(accepts, BROADCAST, ruleIs('explicit'), ({ question }) => {
      const { axesMapping = [] } = question.rule
      return new Set(axesMapping).size < axesMapping.length
    }),
  },
  {
    id: 'explicit-scalar-evaluation',
    engines: BOTH,
    what: 'Broadcast in mode explicit: a scalar that names an axis of size 1 passes shape inference and fails in evaluation.',
    decides: 'OpenVINO’s shape inference, which bcast follows.',
    explains: all(refuses, BROADCAST, ruleIs('explicit'), textHas("doesn't match rank of input tensor 0")),
  },
  {
    id: 'empty-operands',
    engines: ['openvino'],
    what: 'Evaluation with an empty operand writes out of bounds and the process dies.',
    decides: 'Decision: 0 against 1 gives 0, an empty result.',
    explains: all(crash, hasEmpty, textHas('memory')),
  },
  {
    id: 'shift-beyond-the-width',
    engines: BOTH,
    what: 'A shift by the width or more shifts by the rest modulo the width.',
    decides: 'Decision: it gives 0, or all sign bits to the right.',
    explains: all(value, opIs('BitwiseLeftShift', 'BitwiseRightShift')),
  },
]
