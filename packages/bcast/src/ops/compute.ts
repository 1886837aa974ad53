// A program over tensors: where the result goes, whether it would run over its own operands, and what is said of an
// element without a value.
import type { Computable } from '../backend/backend.ts'
import { instructionsOf } from '../backend/instructions.ts'
import { asIntegers, type DType, type Storage } from '../dtype/dtype.ts'
import { canFault, type Program } from '../expr/ir.ts'
import { lowerMove } from '../expr/lower.ts'
import type { Computed } from '../expr/row.ts'
import type { Shape } from '../shape/dim.ts'
import type { Layout } from '../tensor/layout.ts'
import type { Placed } from '../tensor/placed.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { checkOut } from './checks.ts'
import { type Computation, type Execution, executionOf } from './computation.ts'
import type { FaultAt } from './fault.ts'
import { wouldClobber } from './overlap.ts'
import { freshTensor } from './result.ts'

/** An operand as it is seen in the result's shape. */
export interface Input {
  readonly tensor: Tensor
  readonly seen: Layout
}

/** A checked call. */
export interface Request extends Computed {
  readonly computable: Computable
  readonly dtype: DType
  readonly shape: Shape
  readonly inputs: readonly Input[]
  readonly out: Tensor | undefined
  /** What is said of elements without a value, where there may be such. */
  readonly fault?: FaultAt | undefined
}

const placed = (storage: Storage, { offset, strides }: Layout): Placed => ({ storage, offset, strides })

export function* computation(request: Request): Computation {
  const { name, computable, moves: asBits, fault, dtype, shape, inputs, out } = request
  if (out !== undefined) checkOut(name, out, dtype, shape)
  // Finding the first element without a value needs the operands again, so they must not be written over.
  const rereads = canFault(computable.program)
  const elsewhere = out !== undefined && inputs.some(({ tensor, seen }) => wouldClobber(out, tensor, seen, rereads))
  const target = out === undefined || elsewhere ? freshTensor(dtype, shape) : out
  const bits = (storage: Storage) => (asBits === true ? asIntegers(storage) : storage)
  const operands = inputs.map(({ tensor, seen }) => placed(bits(tensor.storage), seen))
  operands.push(placed(bits(target.storage), target.layout))
  const arrays = [...inputs.map(({ tensor }) => tensor.storage), target.storage]
  const place = out?.storage
  if (place !== undefined) arrays.push(place)
  let made: Tensor | undefined
  try {
    const job = { ...computable, shape, operands }
    const position = yield executionOf(job, arrays)
    if (position >= 0) throw fault!(job, position)
    if (elsewhere) yield copying(target, placed(place!, out.layout))
    made = elsewhere ? out : target
    return made
  } finally {
    // Nobody else has a result that was copied to its place, or that was never finished.
    if (target !== made && target !== out) target.dispose()
  }
}

const NO_INSTRUCTIONS = /* @__PURE__ */ instructionsOf()
const moves = new Map<DType, Program>()

/** Copies a result that was computed elsewhere to its place. */
export function copying(
  { dtype, layout, storage }: Pick<Tensor, 'dtype' | 'layout' | 'storage'>,
  place: Placed,
): Execution {
  let program = moves.get(dtype)
  if (program === undefined) moves.set(dtype, (program = lowerMove(dtype)))
  const operands = [placed(asIntegers(storage), layout), { ...place, storage: asIntegers(place.storage) }]
  return executionOf({ program, instructions: NO_INSTRUCTIONS, shape: layout.shape, operands }, [])
}
