// bcast itself, as a program uses it: the built package, operands made by `tensor`, results disposed. Arguments: threads;
// `native` where machine code computes.
import { configure, fromData, identity, type Tensor } from 'bcast'
import { elementCount } from '../../task.ts'
import { computeAll, computeOf } from './bcast-ops.ts'
import { makeArray, type Operand, type Peer } from './peer.ts'
import { serve } from './serve.ts'

const [threads = '1', engine] = process.argv.slice(2)
if (engine === 'native') await import('@bcast/native')
configure({ threads: Number(threads) })

/** Over the array itself. */
const foreign = ({ dtype, array, shape }: Operand): Tensor => fromData(dtype, array as never, shape) as Tensor
/** In the engine's memory, where `tensor` puts a copy of an array too; earlier versions know only this way. */
const moved = (tensor: Tensor): Tensor => identity(tensor)

const peer: Peer<Operand, Tensor | readonly Tensor[]> = {
  load: (operand) => operand,
  build(task, operands) {
    const tensors = operands.map((operand) => (task.foreign ? foreign(operand) : moved(foreign(operand))))
    if (task.also.length > 0) {
      const compute = computeAll(task)
      return {
        fresh: () => compute(tensors),
        free: (results) => {
          for (const result of results as readonly Tensor[]) result.dispose()
        },
        read: (results) => (results as readonly Tensor[]).map(({ data }) => data as ArrayBufferView),
      }
    }
    const compute = computeOf(task)
    const { dtype, shape } = task.result
    const place = foreign({ dtype, shape, array: makeArray(dtype, elementCount(shape)) })
    const out = { out: task.foreign ? place : moved(place) }
    return {
      fresh: () => compute(tensors),
      free: (result) => (result as Tensor).dispose(),
      out: () => compute(tensors, out),
      read: (result) => (result as Tensor).data as ArrayBufferView,
    }
  },
}

serve(peer)
