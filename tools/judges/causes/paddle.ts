// PaddlePaddle: subnormals, tolerance in comparisons, and the checks of its operators with an axis.
import { overrunsAxis } from '../engines.ts'
import {
  accepts,
  all,
  type Cause,
  natureIs,
  operandsOf,
  opIs,
  ruleIs,
  type Test,
  touchesSubnormal,
  value,
} from './cause.ts'

const PADDLE = ['paddle']

/** Closer than the tolerance of Paddle's comparison. */
const close: Test = (disagreement) => {
  const [x, y] = operandsOf(disagreement).map(Number)
  return x !== undefined && y !== undefined && Math.abs(x - y) < 1e-7
}

/** The smaller operand ends beyond the larger one. */
const overruns: Test = ({ question }) => overrunsAxis(question)

export const paddle: readonly Cause[] = [
  {
    id: 'equal-with-tolerance',
    engines: PADDLE,
    what: 'Equal and NotEqual of floats take numbers that differ by less than 1e-8 for equal.',
    decides: 'IEEE: equality is exact.',
    explains: all(value, opIs('Equal', 'NotEqual'), close),
  },
  {
    id: 'subnormals-flushed',
    engines: PADDLE,
    what: 'Subnormal numbers count as 0 in some operators.',
    decides: 'IEEE arithmetic has subnormal numbers.',
    explains: all(value, opIs('Add', 'Sub', 'Mul', 'Div', 'Mod', 'Pow'), touchesSubnormal),
  },
  {
    id: 'broadcast-to-scalar-shape',
    engines: PADDLE,
    what: 'broadcast_to the shape () returns its operand whatever its shape.',
    decides: 'One-way broadcasting: the result has the target’s shape [onnx.uni.shape].',
    explains: all(
      accepts,
      opIs('BroadcastTo'),
      ({ question }) => question.kind === 'compute' && question.target?.length === 0,
    ),
  },
  {
    id: 'axis-overrun',
    engines: PADDLE,
    what: 'That axis + rank passes the larger rank is not checked: sizes are written out of bounds.',
    decides: 'Paddle 1.7 and later: the smaller operand’s sizes lie within the larger one’s, from `axis` on.',
    explains: all(natureIs('accepts', 'crash'), ruleIs('paddle'), overruns),
  },
]
