// Runs the machine code that a package hands in: which plans it takes part in, what its kernels are told.
import type { Piece, Plan, PlannedPass } from '../../../plan/plan.ts'
import { elementCount, type Shape } from '../../../shape/dim.ts'
import type { Backend } from '../../backend.ts'
import type { Recordings } from '../../recordings.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import type { KernelMemory, Kernels } from '../kernels.ts'
import type { Located } from '../located.ts'
import { partOf } from '../part.ts'
import type { Runner, Use } from '../task.ts'
import { largeArray } from './arrays.ts'
import { bindMachine } from './bound.ts'
import { type KernelCall, kernelOf, type MachineCode, needed } from './code.ts'
import { TASK_BYTES, wideBytes, widePointers, writeWideParameters } from './parameters.ts'
import { productSteps } from './product.ts'
import { recordingsOf } from './recordings.ts'
import { reductionsOf } from './reductions.ts'
import { packedRuns } from './runs.ts'
import { type MachineSeam, setMachine } from './seam.ts'
import { shareTask, workOf } from './share.ts'

/** Bytes of what a memory grows by. */
const PAGE = 65_536

/** Has machine code run from now on, or no longer. */
export function provideKernels(code: MachineCode | undefined): void {
  setMachine(code && seamOf(code))
}

function seamOf(code: MachineCode): MachineSeam {
  const homes = new WeakSet<KernelMemory>()
  const recordings = new WeakMap<Backend, Recordings | undefined>()
  const seam: MachineSeam = {
    enter({ home }) {
      if (homes.has(home)) return
      homes.add(home)
      code.enlarge(home.memory.buffer, home.maximum * PAGE)
    },
    plan(kernels, planWith, call, options, use) {
      seam.enter(kernels)
      const reached = { ...call, operands: call.operands.map((operand) => ({ ...operand, resident: true })) }
      const { threads } = options
      const plan = use === undefined ? undefined : marked(code, kernels, planWith(reached, options), threads, use)
      const made = plan ?? marked(code, kernels, planWith(call, options), threads, undefined)!
      // Plans are plain data; whose this one is stands beside it.
      return Object.defineProperty(made, 'code', { value: seam })
    },
    run(kernels, program, run, cursors, runner) {
      const kernel = needed(kernelOf(code, kernels, program, run, againOf(runner, cursors)))
      const { loops, split, signature } = run
      const { parts } = split
      const parametersSize = wideBytes(cursors.length, loops.sizes.length)
      const told = parts * parametersSize
      const parametersAt = runner.parameters(told + TASK_BYTES)
      const located = cursors.map((cursor) => ({
        ...cursor,
        address: code.addressOf(cursor.memory) + cursor.address,
      }))
      for (let part = 0; part < parts; part++) {
        const { sizes, operands } = partOf(run, located, part)
        const at = parametersAt + part * parametersSize
        const words = new Int32Array(kernels.home.memory.buffer, at, parametersSize / 4)
        writeWideParameters(words, sizes, operands, signature.rows)
      }
      const pointers = runner.use === 'again' ? widePointers(cursors.map(({ array }) => array)) : undefined
      const task = { ...kernel, parts, parametersAt, parametersSize }
      const share = (wanted: number): number | undefined =>
        shareTask(code, kernels.home.memory.buffer, task, parametersAt + told, wanted)
      return runner.run({ ...task, pointers, share }, workOf(program, elementCount(loops.sizes)))
    },
    reduce: reductionsOf(code),
    allocate: (dtype, count) => largeArray(code, dtype, count),
    product: (request) => productSteps(code, request),
    recordings(backend) {
      if (!recordings.has(backend)) recordings.set(backend, recordingsOf(code, backend as WebAssemblyBackend))
      return recordings.get(backend)
    },
    bind: (kernels, home, settled) => bindMachine(code, kernels, home, settled),
  }
  return seam
}

/** What is to come of a task that is described for some rows. */
const againOf = (runner: Runner, cursors: readonly Located[]): Pick<KernelCall, 'times' | 'ahead'> =>
  runner.timesOf === undefined
    ? {}
    : {
        times: runner.timesOf(cursors.at(-1)!.array),
        ahead: cursors.map(({ array }) => runner.aheadOf?.(array) ?? 0),
      }

/**
 * The plan with its pieces said to be machine code where they are; undefined where all of them have to be, because
 * operands are not copied, and are not.
 */
function marked(code: MachineCode, kernels: Kernels, plan: Plan, threads: number, use: Use): Plan | undefined {
  const known = new Map<PlannedPass, PlannedPass>()
  let isWhole = true
  const own = (shape: Shape, pass: PlannedPass): PlannedPass => {
    let made = known.get(pass)
    if (made === undefined) {
      const { program } = pass
      const pays = use === 'again' || code.pays(program, elementCount(shape), false)
      const pieces = pass.pieces.map((piece): Piece => {
        const runs = (code.packs ? packedRuns(program, piece, threads) : piece.kernels).map((run) => ({
          ...run,
          threads,
        }))
        const isMade = pays && piece.tile === undefined && runs.every((run) => kernelOf(code, kernels, program, run))
        if (!isMade) isWhole = false
        return isMade ? { ...piece, kernels: runs, machine: true } : piece
      })
      known.set(pass, (made = { ...pass, pieces }))
    }
    return made
  }
  const chunks = plan.chunks.map((chunk) => ({
    ...chunk,
    passes: chunk.passes.map((pass) => own(chunk.shape, pass)),
  }))
  return use !== undefined && !isWhole ? undefined : { ...plan, chunks }
}
