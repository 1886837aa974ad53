// Computations that do not keep the calling thread: each begins when those asked for before it have ended, so that one
// may use what another writes. The threads compute; operands outside their memory are copied in and out slab by slab.
import type { Storage, TypedArray } from '../dtype/dtype.ts'
import type { Program } from '../expr/ir.ts'
import { slabs } from '../plan/chunks.ts'
import { elementsIn } from '../plan/staging.ts'
import { elementCount, type Shape } from '../shape/dim.ts'
import { rowMajorStrides } from '../tensor/layout.ts'
import { checkReach } from '../tensor/placed.ts'
import { currentEngine, hold, run } from './backends.ts'
import { execute, type Operand } from './interpreter/execute.ts'
import { nextTurn } from './platform.ts'
import type { Engine } from './webassembly/engine.ts'
import { SHARE } from './webassembly/sizes.ts'
import { hasWorkers } from './webassembly/threads/pool.ts'
import { runSteps, type Step } from './webassembly/threads/queue.ts'

/** Bytes of a slab's copies. */
const SLAB = 1 << 23
/** Elements that the interpreter looks at before other things get their turn. */
const PAUSE = 1 << 18

let last: Promise<unknown> = Promise.resolve()

/** Does `work` when everything asked for before has ended; the memory under `arrays` is kept until it is done. */
export function inTurn<T>(arrays: readonly Storage[], work: () => Promise<T>): Promise<T> {
  const letGo = hold(arrays)
  const mine = last.then(work).finally(letGo)
  last = mine.catch(() => undefined)
  return mine
}

/** The engine that computes now, where it has threads of its own. */
export function threadedEngine(): Engine | undefined {
  const engine = currentEngine()
  return hasWorkers && engine?.arena.shared === true ? engine : undefined
}

const moved = (operands: readonly Operand[], shifts: readonly number[]): Operand[] =>
  operands.map(({ storage, offset, strides }, i) => ({ storage, offset: offset + shifts[i]!, strides }))

/** The computation in steps of which each needs few copies; a single one where all operands lie in the arena. */
function* stepsOf(engine: Engine, program: Program, shape: Shape, operands: readonly Operand[]): Generator<Step> {
  const strides = operands.map((operand) => operand.strides)
  const inputs = operands.length - 1
  const result = strides.at(-1)!
  // Kernels write elements that lie side by side; a result that has none is copied wherever it lies.
  const scattered = !result.some((stride, axis) => shape[axis]! > 1 && Math.abs(stride) === 1)
  const copied = operands.filter(
    ({ storage }, i) => !engine.arena.holds(storage as TypedArray) || (scattered && i === inputs),
  )
  const bytes = (part: Shape): number =>
    copied.reduce(
      (sum, { storage, strides: own }) => sum + elementsIn(part, own) * (storage as TypedArray).BYTES_PER_ELEMENT,
      0,
    )
  // The axis farthest out in the result's memory along which copies get smaller.
  const axisOf = (part: Shape): number =>
    part.reduce((best, size, axis) => {
      const shrinks = size > 1 && copied.some(({ strides: own }) => own[axis] !== 0)
      return shrinks && (best < 0 || Math.abs(result[axis]!) > Math.abs(result[best]!)) ? axis : best
    }, -1)
  for (const slab of slabs(shape, strides, (part) => bytes(part) <= SLAB || axisOf(part) < 0, axisOf)) {
    const part = moved(operands, slab.shifts)
    yield () => engine.execute(program, slab.shape, part.slice(0, inputs), part[inputs]!) === 'done'
  }
}

/** The lowest row-major position without a value, or -1, found by the interpreter with pauses; `check` after each. */
async function firstFault(
  program: Program,
  shape: Shape,
  operands: readonly Operand[],
  check: () => void,
): Promise<number> {
  const strides = [...operands.map((operand) => operand.strides), rowMajorStrides(shape)]
  const parts = slabs(
    shape,
    strides,
    (part) => elementCount(part) <= PAUSE,
    (part) => part.findIndex((size) => size > 1),
  )
  for (const { shape: part, shifts } of parts) {
    check()
    const own = moved(operands, shifts)
    const fault = execute(program, part, own.slice(0, -1), own.at(-1)!)
    if (fault >= 0) return shifts.at(-1)! + fault
    await new Promise<void>(nextTurn)
  }
  return -1
}

/** Computes what `run` computes, on the threads where they can and it is worth it; only in turn. */
export async function runLater(
  program: Program,
  shape: Shape,
  inputs: readonly Operand[],
  out: Operand,
): Promise<number> {
  const engine = elementCount(shape) > SHARE ? threadedEngine() : undefined
  if (engine === undefined || !engine.supports(program)) return run(program, shape, inputs, out)
  const operands = [...inputs, out]
  const check = (): void => {
    for (const operand of operands) checkReach(shape, operand)
  }
  if (await runSteps(engine, stepsOf(engine, program, shape, operands), check)) return -1
  return firstFault(program, shape, operands, check)
}
