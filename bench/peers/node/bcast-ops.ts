// The operators of the benchmark as calls of bcast.

import type { Tensor } from 'bcast'
import * as bcast from 'bcast'
import { EPSILON, type Task } from '../../task.ts'

// Names of one object: an earlier bcast that lacks some has undefined there, and computes the workloads that it knows.
const { add, fuse, gemm, greater, matmul, max, mul, sub, sum, sumTo, valueAndGrad, where } = bcast

interface Written {
  readonly out: Tensor
}
export type Compute = (operands: readonly Tensor[], options?: Written) => Tensor

/** Softmax, layer normalisation: rows of a matrix by themselves. */
const ROWS = { axes: -1, keepdims: true } as const

export type Asked = Pick<Task, 'op' | 'axes' | 'result'>

export function computeOf({ op, axes, result }: Asked): Compute {
  switch (op) {
    case 'add':
      return ([a, b], options) => add(a!, b!, options)
    case 'mul':
      return ([a, b], options) => mul(a!, b!, options)
    case 'greater':
      return ([a, b], options) => greater(a!, b!, options)
    case 'where':
      return ([c, x, y], options) => where(c!, x!, y!, options)
    case 'max':
      return (operands, options) => (options === undefined ? max(operands) : max(operands, options))
    case 'gemm':
      return ([a, b, c], options) => gemm(a!, b!, c!, options)
    case 'addTransposed':
    case 'addStrided': {
      // Views cost nothing and are made once, as in a program that keeps them.
      let seen: Tensor | undefined
      const view = (y: Tensor): Tensor =>
        op === 'addTransposed' ? y.transpose() : y.slice([null, null, -1], [null, null, 2])
      return ([x, y], options) => add(x!, (seen ??= view(y!)), options)
    }
    case 'normalise': {
      const normalise = fuse((x, m, s, g, b) => x.sub(m).div(s).mul(g).add(b))
      return ([x, m, s, g, b], options) =>
        options === undefined ? normalise(x!, m!, s!, g!, b!) : normalise(x!, m!, s!, g!, b!, options)
    }
    case 'sum':
      return ([x], options) => sum(x!, { axes, ...options })
    case 'sumTo':
      return ([delta], options) => sumTo(delta!, result.shape, options)
    case 'softmax': {
      const softmax = fuse((x) => {
        const e = x.sub(x.max(ROWS)).exp()
        return e.div(e.sum(ROWS))
      })
      return ([x], options) => (options === undefined ? softmax(x!) : softmax(x!, options))
    }
    case 'layerNorm': {
      const layerNorm = fuse((x, g, b) => {
        const d = x.sub(x.mean(ROWS))
        return d.div(d.mul(d).mean(ROWS).add(EPSILON).sqrt()).mul(g).add(b)
      })
      return ([x, g, b], options) => (options === undefined ? layerNorm(x!, g!, b!) : layerNorm(x!, g!, b!, options))
    }
    case 'normaliseGrad':
    case 'logisticStep':
      throw new Error(`${op} has several results`)
  }
}

/** The operators with several results. */
export function computeAll({ op }: Asked): (operands: readonly Tensor[]) => readonly Tensor[] {
  if (op === 'normaliseGrad') {
    const all = valueAndGrad((x, m, s) => {
      const z = x.sub(m).div(s)
      return z.mul(z).mean()
    })
    return ([x, m, s]) => {
      const { value, grads } = all(x!, m!, s!)
      return [value, ...grads]
    }
  }
  if (op === 'logisticStep') {
    const loss = valueAndGrad(
      (x, y, w) => {
        const z = matmul(x, w)
        return z.softplus().sub(y.mul(z)).mean()
      },
      { wrt: 2 },
    )
    return ([x, y, w]) => {
      const { value, grads } = loss(x!, y!, w!)
      const next = sub(w!, grads)
      grads.dispose()
      return [value, next]
    }
  }
  throw new Error(`${op} has one result`)
}
