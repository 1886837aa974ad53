// `import 'bcast/methods'`: every operator as a method of tensors, beside the functions, and what
// reduces, multiplies matrices, views and moves. Not
// part of the library itself, so that programs that call functions carry only those they use.

import type { DType } from './dtype/dtype.ts'
import { argMax, argMin } from './ops/arg-reduce.ts'
import { cast, castLike, expand } from './ops/cast.ts'
import { allClose, arrayEqual, isClose } from './ops/close.ts'
import { cumSum } from './ops/cum-sum.ts'
import type { EagerMethods } from './ops/eager-methods.ts'
import { logSumExp } from './ops/log-sum-exp.ts'
import { matmul } from './ops/matmul.ts'
import { pad } from './ops/move/pad.ts'
import { gather, take } from './ops/move/take.ts'
import { tile } from './ops/move/tile.ts'
import { all, any, norm, prod, sumSquare } from './ops/reductions.ts'
import { operators } from './ops/table.ts'
import { flip } from './ops/views/flip.ts'
import { split } from './ops/views/split.ts'
import { squeeze, unsqueeze } from './ops/views/squeeze.ts'
import type { Shape } from './shape/dim.ts'
import { Tensor } from './tensor/tensor.ts'

export type { EagerMethods } from './ops/eager-methods.ts'

declare module './tensor/tensor.ts' {
  interface Tensor<out D extends DType = DType, out S extends Shape = Shape> extends EagerMethods {}
}

type Call = (...args: readonly unknown[]) => unknown

const others = { cast, astype: cast, castLike, expand, squeeze, unsqueeze, flip, split, take, gather, tile, pad }
const comparisons = { isClose, allClose, arrayEqual }
const reductions = { prod, sumSquare, norm, logSumExp, any, all, argMax, argMin, cumSum, matmul }

const calls: readonly (readonly [name: string, call: Call])[] = [
  ...Object.values(operators).map(({ name, call }) => [name, call] as const),
  ...Object.entries({ ...others, ...comparisons, ...reductions }).map(
    ([name, call]) => [name, call as unknown as Call] as const,
  ),
]

for (const [name, call] of calls) {
  Object.defineProperty(Tensor.prototype, name, {
    configurable: true,
    writable: true,
    value(this: Tensor, ...args: readonly unknown[]): unknown {
      return call(this, ...args)
    },
  })
}
