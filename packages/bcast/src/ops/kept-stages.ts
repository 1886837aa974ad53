// Stages that are computed again and again, by their expression.
import type { Prepared, Stage } from '../expr/stages.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { KeptCall } from './kept-call.ts'
import type { Means } from './stage.ts'
import { computeStages } from './staged.ts'

const known = new WeakMap<readonly Stage[], KeptCall>()

/** The results of a call that is small and has been made before; undefined where it goes the general way. */
export function computeKept(prepared: Prepared, operands: readonly Tensor[], means: Means): Tensor[] | undefined {
  const { stages } = prepared
  let call = known.get(stages)
  if (call === undefined) known.set(stages, (call = new KeptCall()))
  return call.results(operands, (own) => computeStages(prepared, own, [], means))
}
