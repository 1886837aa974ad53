// All causes in the order in which they are tried; the first that explains a disagreement is its cause.

import type { Disagreement } from '../compare.ts'
import { accuracy } from './accuracy.ts'
import type { Cause } from './cause.ts'
import { division } from './division.ts'
import { onnx } from './onnx.ts'
import { openvino } from './openvino.ts'
import { openvinoCpu, openvinoCpuPlacement } from './openvino-cpu.ts'
import { paddle } from './paddle.ts'
import { powers } from './powers.ts'
import { products } from './products.ts'
import { types } from './types.ts'
import { zeros } from './zeros.ts'

export const causes: readonly Cause[] = [
  ...openvino,
  ...openvinoCpu,
  ...zeros,
  ...division,
  ...powers,
  ...types,
  ...accuracy,
  ...products,
  ...onnx,
  ...paddle,
  openvinoCpuPlacement,
]

/** The cause of a disagreement; a defect of bcast has none. */
export const causeOf = (disagreement: Disagreement): Cause | undefined =>
  disagreement.difference?.defect === true
    ? undefined
    : causes.find(({ engines, explains }) => engines.includes(disagreement.engine) && explains(disagreement))
