// What the CPU plugin does differently from the operators' own evaluation.
import { all, type Cause, crash, hasEmpty, natureIs, opIs, ruleIs, textHas, typeIs, value } from './cause.ts'

const CPU = ['openvino-cpu']
const BROADCAST = opIs('Broadcast')

/** After every other cause: a value that only the placement can explain. */
export const openvinoCpuPlacement: Cause = {
  id: 'cpu-pdpd-misplaced',
  engines: CPU,
  what: 'pdpd with an axis is taken for numpy, so that B is read at the wrong place.',
  decides: 'Document, PDPD rule 3 [openvino.pdpd.3].',
  explains: all(value, ruleIs('pdpd')),
}

export const openvinoCpu: readonly Cause[] = [
  {
    id: 'cpu-floor-division-truncates',
    engines: CPU,
    what: 'Divide of int32 truncates although m_pythondiv is true by default, and goes through float32.',
    decides: 'OpenVINO Divide: m_pythondiv rounds down.',
    explains: all(value, opIs('FloorDiv'), typeIs('int32')),
  },
  {
    id: 'cpu-int32-as-float32',
    engines: CPU,
    what: 'int32 is computed as float32: values beyond 2^24 are rounded, also in comparisons.',
    decides: 'Decision: integers are exact and wrap.',
    explains: all(
      value,
      typeIs('int32'),
      opIs(
        'Div',
        'Mod',
        'FloorMod',
        'Equal',
        'NotEqual',
        'Less',
        'LessOrEqual',
        'Greater',
        'GreaterOrEqual',
        'Relu',
        'PRelu',
        'Abs',
        'Neg',
        'Sign',
        'SquaredDifference',
      ),
    ),
  },
  {
    id: 'cpu-broadcast-to-scalar',
    engines: CPU,
    what: 'Broadcast to the shape () ends the process.',
    decides: 'Document: a scalar stays a scalar [openvino.numpy.5].',
    explains: all(
      crash,
      BROADCAST,
      textHas('memory'),
      ({ question }) => question.kind === 'compute' && question.target?.length === 0,
    ),
  },
  {
    id: 'cpu-broadcast-empty',
    engines: CPU,
    what: 'Broadcast with a size of 0 ends the process, or refuses 0 against 1, or leaves the 1.',
    decides: 'Decision: 0 against 1 gives 0 under bidirectional broadcasting.',
    explains: all(natureIs('crash', 'refuses', 'shape'), BROADCAST, hasEmpty),
  },
  {
    id: 'cpu-pdpd-unsupported',
    engines: CPU,
    what: 'pdpd fails, or is taken for numpy, when the plugin rewrites the operator.',
    decides: 'Document, PDPD rule 3: B goes onto A at axis, and A keeps its shape [openvino.pdpd.3].',
    explains: all(natureIs('refuses', 'shape', 'crash'), ruleIs('pdpd'), ({ question }) => question.op !== 'Broadcast'),
  },
]
