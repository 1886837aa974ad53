// Functions of one tensor, element by element, made of those that the library has; and conversions between types.
import * as bcast from 'bcast'
import {
  abs,
  add,
  cast as castTo,
  type DType,
  div,
  equal,
  exp,
  greater,
  less,
  log,
  max,
  min,
  mul,
  or,
  sigmoid,
  softplus,
  sub,
  type Tensor,
  tanh,
  where,
} from 'bcast'
import { castType } from '../../infer/attributes/types.ts'
import { isDType } from '../../model/element-type.ts'
import type { ElementwiseRow, TypesByOpset } from '../row.ts'
import { F3, F4, floats, NUMERIC } from '../types.ts'
import type { NodeUse } from '../use.ts'

const activation = (
  name: string,
  types: TypesByOpset,
  compute: (x: Tensor, use: NodeUse) => Tensor,
  since = 1,
): ElementwiseRow => ({
  kind: 'elementwise',
  name,
  since,
  types,
  operands: [1, 1],
  compute: ([x], use) => compute(x!, use),
})

/** Computed in float64 and rounded once, where steps on the way would lose what the result shows. */
const wide = (x: Tensor, compute: (x: Tensor) => Tensor): Tensor => castTo(compute(castTo(x, 'float64')), x.dtype)

/** e^x - 1, also where e^x rounds to 1. */
function expm1(x: Tensor): Tensor {
  const power = exp(x)
  const less1 = sub(power, 1)
  return where(equal(power, 1), x, where(equal(less1, -1), -1, div(mul(less1, x), log(power)) as Tensor) as Tensor)
}

const thresholdedRelu = activation(
  'ThresholdedRelu',
  floats(22),
  (x, { attributes }) => where(greater(x, attributes.float('alpha', 1)), x, 0),
  10,
)

/** The constants had fewer digits at first. */
const selu = activation('Selu', floats(22), (x, { attributes, opset }) => {
  const alpha = attributes.float('alpha', Math.fround(opset < 6 ? 1.6732 : 1.6732631921768188))
  const gamma = attributes.float('gamma', Math.fround(opset < 6 ? 1.0507 : 1.0507010221481323))
  return wide(x, (y) => mul(where(greater(y, 0), y, mul(expm1(y), alpha)), gamma))
})

const celu = activation(
  'Celu',
  [[12, ['float32']]],
  (x, { attributes }) => {
    const alpha = attributes.float('alpha', 1)
    return wide(x, (y) => where(greater(y, 0), y, mul(expm1(div(y, alpha)), alpha)))
  },
  12,
)

const hardSwish = activation(
  'HardSwish',
  floats(22),
  (x) => mul(x, max(min(add(mul(x, Math.fround(1 / 6)), 0.5), 1), 0)),
  14,
)

const mish = activation('Mish', floats(22), (x) => wide(x, (y) => mul(y, tanh(softplus(y) as Tensor))), 18)

const swish = activation(
  'Swish',
  floats(24),
  (x, { attributes }) => wide(x, (y) => mul(y, sigmoid(mul(y, attributes.float('alpha', 1))))),
  24,
)

/** Integers are compared with the bounds as numbers. */
const shrink = activation(
  'Shrink',
  NUMERIC,
  (x, { attributes }) => {
    const [bias, lambda] = [attributes.float('bias', 0), attributes.float('lambd', 0.5)]
    const shrunk = (y: Tensor): Tensor =>
      where(less(y, -lambda), add(y, bias), where(greater(y, lambda), sub(y, bias), 0) as Tensor)
    return F3.includes(x.dtype) ? shrunk(x) : wide(x, shrunk)
  },
  9,
)

const notANumber = activation(
  'IsNaN',
  [
    [9, F3],
    [13, F4],
  ],
  (x) => bcast.notEqual(x, x),
  9,
)

const isInf = activation(
  'IsInf',
  [
    [10, ['float32', 'float64']],
    [20, F4],
  ],
  (x, { attributes }) => {
    const detects = (name: string): boolean => attributes.int(name, 1) !== 0
    const [negative, positive] = [
      equal(x, detects('detect_negative') ? Number.NEGATIVE_INFINITY : Number.NaN),
      equal(x, detects('detect_positive') ? Number.POSITIVE_INFINITY : Number.NaN),
    ]
    return or(negative, positive)
  },
  10,
)

const CAST: TypesByOpset = [
  [1, [...NUMERIC[0]![1], 'bool']],
  [13, [...NUMERIC[0]![1], 'bool', 'bfloat16']],
]

const cast: ElementwiseRow = {
  ...activation('Cast', CAST, (x, use) => castTo(x, castType(use) as DType)),
  refuse: (use) => {
    const to = castType(use)
    return isDType(to) && to !== 'string' ? undefined : `it is not run to ${to ?? 'a type that is not known'}`
  },
}

const castLike: ElementwiseRow = {
  kind: 'elementwise',
  name: 'CastLike',
  since: 15,
  types: CAST,
  operands: [2, 2],
  compute: ([x, like]) => castTo(x!, like!.dtype),
}

export const activationRows: readonly ElementwiseRow[] = [
  ...[thresholdedRelu, selu, celu, hardSwish, mish, swish, shrink],
  activation('Softsign', floats(22), (x) => div(x, add(abs(x), 1))),
  ...[notANumber, isInf, cast, castLike],
]
