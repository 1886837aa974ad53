// bcast's gradient of one operand of one operator: the derivative of its row, fused.

import * as bcast from 'bcast'
import { fuse, type Tensor } from 'bcast'
import type { Term } from '../../../packages/bcast/src/expr/derivative.ts'
import { differentiate } from '../../../packages/bcast/src/expr/differentiate.ts'
import type { TensorData } from '../case.ts'
import { fromTensor, toTensor } from '../ours.ts'
import { type GradientCase, rows } from './case.ts'

const functions = { ...bcast } as unknown as Readonly<Record<string, (...args: readonly unknown[]) => Term>>

export function ourGradient({ op, attrs, inputs, delta, by }: GradientCase): TensorData {
  const row = rows.get(op)!
  const body = (...terms: Term[]): Term => {
    const operands = terms.slice(0, -1)
    const result = functions[row.call]!(...(row.variadic === true ? [operands] : operands), attrs)
    return differentiate(row, { operands, result, delta: terms.at(-1)!, attributes: attrs })![by]!
  }
  const gradient = fuse(body as unknown as (...operands: never[]) => unknown, { operands: inputs.length + 1 })
  return fromTensor(gradient(...[...inputs, delta].map(toTensor)) as Tensor)
}
