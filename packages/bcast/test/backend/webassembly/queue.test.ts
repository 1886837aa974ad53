// Queues: the threads run every part of every step once, in order, without the calling thread; a failure surfaces
// instead of a wrong result or a promise that is never kept, and nothing of the memory is lost.
import type { Worker } from 'node:worker_threads'
import { EngineError } from 'bcast'
import { describe, expect, it, vi } from 'vitest'
import { wasm } from '../../../src/backend/platform.ts'
import { Assembler } from '../../../src/backend/webassembly/codegen/assembler.ts'
import { wasmModule } from '../../../src/backend/webassembly/codegen/module.ts'
import * as opcodes from '../../../src/backend/webassembly/codegen/opcodes.ts'
import { Arena } from '../../../src/backend/webassembly/memory/arena.ts'
import type { Runner, Task } from '../../../src/backend/webassembly/task.ts'
import * as CONTROL from '../../../src/backend/webassembly/threads/control.ts'
import { MEANS } from '../../../src/backend/webassembly/threads/load.ts'
import { ThreadPool } from '../../../src/backend/webassembly/threads/pool.ts'
import { type QueueStep, runSteps, TaskQueue } from '../../../src/backend/webassembly/threads/queue.ts'

vi.spyOn(console, 'warn').mockImplementation(() => {})
const started: Worker[] = []
process.on('worker', (worker) => started.push(worker))

const MIB = 2 ** 20
const SIZE = 64

const refuse = (): never => {
  throw new Error('the calling thread took a step')
}
/** Nothing is left to the calling thread. */
const nobody: Runner = { parameters: refuse, copies: refuse, before: refuse, after: refuse, run: refuse }

/** What queues use of a backend. */
interface Setting {
  readonly arena: Arena
  readonly pool: ThreadPool
  threads: number
  runner: Runner
}

function setting(threads: number, patience?: number): Setting {
  const arena = new Arena(wasm!, { limit: 64 * MIB, shared: true })
  return {
    arena,
    pool: new ThreadPool(arena, MEANS, arena.allocate(CONTROL.BYTES)!, patience),
    threads,
    runner: nobody,
  }
}

const unchecked = (): void => {}

function kernel(arena: Arena, write: (asm: Assembler) => void): Uint8Array {
  const asm = new Assembler()
  write(asm)
  return wasmModule(asm.finish(), arena)
}

/** word = word * 3 + parameter, so that the order of steps shows. */
const mixing = (arena: Arena, number: number): Uint8Array =>
  kernel(arena, (asm) => {
    const { parameter: at } = asm
    asm.get(at).get(at).memory(opcodes.i32_load).i32(3).op(opcodes.i32_mul)
    asm.i32(number).op(opcodes.i32_add).memory(opcodes.i32_store).i32(0)
  })
const giving = (arena: Arena, result: number): Uint8Array => kernel(arena, (asm) => asm.i32(result))
const trapping = (arena: Arena): Uint8Array => kernel(arena, (asm) => asm.i32(-4).memory(opcodes.i32_load))
const endless = (arena: Arena): Uint8Array =>
  kernel(arena, (asm) => {
    asm.loop(() => asm.br(0)).i32(0)
  })

/** Ends when its word is no longer 1. */
const waiting = (arena: Arena): Uint8Array =>
  kernel(arena, (asm) => {
    asm.loop(() => asm.get(asm.parameter).memory(opcodes.i32_load).i32(1).op(opcodes.i32_eq).brIf(0))
    asm.i32(0)
  })

let ids = 0
const onCaller = (): never => {
  throw new Error('the calling thread ran a part')
}

interface Words {
  readonly at: number
  readonly read: () => number[]
}

/** A word for each part. */
function wordsFor(arena: Arena, parts: number): Words {
  const at = arena.allocate(parts * SIZE)!
  const words = new Int32Array(arena.buffer, at, (parts * SIZE) / 4)
  words.fill(1)
  return { at, read: () => Array.from({ length: parts }, (_, part) => words[(part * SIZE) / 4]!) }
}

const taskOf = (bytes: Uint8Array, at: number, parts: number, run: Task['run'] = onCaller): Task => ({
  run,
  id: ids++,
  bytes,
  parametersAt: at,
  parametersSize: SIZE,
  parts,
})

const stepOf =
  (task: Task): QueueStep =>
  (runner) =>
    runner.run(task, 0)

const runTasks = (own: Setting, tasks: readonly Task[]): Promise<boolean> => runSteps(own, tasks.map(stepOf), unchecked)

const rejection = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => {
      throw new Error('nothing was rejected')
    },
    (error: Error) => error,
  )

describe('steps', () => {
  it('are run by the threads alone, one after another, each part once', async () => {
    const own = setting(3)
    const free = (): number => own.arena.freeBytes - 64 * own.arena.pages * 1024
    for (let round = 0; round < 30; round++) {
      const parts = [1, 2, 7, 255][round % 4]!
      const words = wordsFor(own.arena, parts)
      const before = free()
      const numbers = Array.from({ length: 1 + (round % 9) }, (_, i) => i + 1)
      const tasks = numbers.map((number) => taskOf(mixing(own.arena, number), words.at, parts))
      expect(await runTasks(own, tasks)).toBe(true)
      const wanted = numbers.reduce((word, number) => word * 3 + number, 1)
      expect(new Set(words.read())).toEqual(new Set([wanted]))
      expect(free()).toBe(before)
    }
  })

  it('may have parts in numbers that differ, and share kernels', async () => {
    const own = setting(2)
    const words = wordsFor(own.arena, 100)
    const one = taskOf(mixing(own.arena, 1), words.at, 1)
    const tasks = [one, { ...one, parts: 100 }, { ...one, parts: 3 }, { ...one, parts: 50 }]
    expect(await runTasks(own, tasks)).toBe(true)
    const read = words.read()
    expect([read[0], read[1], read[3], read[50], read[99]]).toEqual([121, 40, 13, 4, 4])
  })

  it('end at the first that finds an element without a value', async () => {
    const own = setting(2)
    const words = wordsFor(own.arena, 8)
    const after = taskOf(mixing(own.arena, 1), words.at, 8)
    expect(await runTasks(own, [taskOf(giving(own.arena, 1), words.at, 8), after])).toBe(false)
    expect(words.read()).toEqual(new Array(8).fill(1))
    expect(await runTasks(own, [after])).toBe(true)
  })

  it('are followed by what was to be done after them, not before', async () => {
    const own = setting(1)
    const words = wordsFor(own.arena, 4)
    const seen: number[] = []
    const queue = new TaskQueue(own, unchecked)
    for (const number of [1, 2]) {
      queue.add((runner) => {
        runner.after(() => seen.push(words.read()[0]!))
        return runner.run(taskOf(mixing(own.arena, number), words.at, 4), 0)
      })
    }
    expect(seen).toEqual([])
    expect(await queue.flush()).toBe(true)
    expect(seen).toEqual([14, 14])
    expect(await queue.flush()).toBe(true)
    expect(seen).toHaveLength(2)
  })

  it('are waited for until they have ended, though the last word of those before comes late', async () => {
    const own = setting(1, 600_000)
    const { at } = wordsFor(own.arena, 1)
    expect(await runTasks(own, [taskOf(giving(own.arena, 0), at, 1)])).toBe(true)
    const later = runTasks(own, [taskOf(waiting(own.arena), at, 1)])
    for (let time = 0; time < 3; time++) {
      expect(Atomics.notify(own.pool.words, CONTROL.ended)).toBe(1)
      await new Promise((go) => setTimeout(go, 5))
    }
    Atomics.store(new Int32Array(own.arena.buffer, at, 1), 0, 2)
    expect(await later).toBe(true)
  }, 20_000)

  it('run in several goes where they are many or need much memory, and on the calling thread where there is none', async () => {
    const own = setting(2)
    const words = wordsFor(own.arena, 2)
    const here: number[] = []
    const alone: Runner = { ...nobody }
    own.runner = alone
    const step =
      (number: number, bytes: number): QueueStep =>
      (runner) => {
        if (runner === alone) return here.push(number) > 0
        runner.copies(bytes)
        return runner.run(taskOf(mixing(own.arena, number), words.at, 2), 0)
      }
    const large = Array.from({ length: 20 }, () => step(1, 5 * MIB))
    expect(await runSteps(own, large, unchecked)).toBe(true)
    expect(own.arena.pages * 65_536).toBeLessThan(40 * MIB)
    expect(words.read()).toEqual(new Array(2).fill(((3 ** 21 - 1) / 2) | 0))
    expect(await runSteps(own, [step(1, 1), step(7, 100 * MIB), step(2, 1)], unchecked)).toBe(true)
    expect(here).toEqual([7])
    const ended = Atomics.load(own.pool.words, CONTROL.ended)
    const many = Array.from({ length: 1000 }, () => step(0, 1))
    expect(await runSteps(own, many, unchecked)).toBe(true)
    expect(Atomics.load(own.pool.words, CONTROL.ended) - ended).toBe(4)
  })

  it('run on the calling thread where no thread can be described anything', async () => {
    const own = setting(1)
    const words = wordsFor(own.arena, 3)
    const ran: number[] = []
    own.pool.start(1)
    while (own.arena.allocate(64) !== undefined) own.arena.allocate(MIB)
    expect(await runTasks(own, [taskOf(giving(own.arena, 1), words.at, 3, (at) => ran.push(at) && 0)])).toBe(true)
    expect(ran).toEqual([words.at, words.at + SIZE, words.at + 2 * SIZE])
  })
})

describe('tasks that are shared after a queue', () => {
  it('are not taken for steps', async () => {
    const own = setting(1)
    const words = wordsFor(own.arena, 4)
    const rest = new Int32Array(new SharedArrayBuffer(4))
    const slowly = (): number => (Atomics.wait(rest, 0, 0, 5) === 'timed-out' ? 0 : 1)
    expect(await runTasks(own, [taskOf(mixing(own.arena, 1), words.at, 4)])).toBe(true)
    const ended = Atomics.load(own.pool.words, CONTROL.ended)
    const task = taskOf(mixing(own.arena, 1), words.at, 4, slowly)
    for (let round = 0; round < 50; round++) expect(own.pool.share(task)).toBe(0)
    expect(words.read().some((word) => word !== 4)).toBe(true)
    expect(Atomics.load(own.pool.words, CONTROL.ended)).toBe(ended)
  })
})

describe('operands that changed meanwhile', () => {
  it('are noticed before they are used, and before results are', async () => {
    const own = setting(1)
    const words = wordsFor(own.arena, 1)
    const steps = [1, 2].map((number) => stepOf(taskOf(mixing(own.arena, number), words.at, 1)))
    for (const good of [0, 1, 2]) {
      let asked = 0
      const check = (): void => {
        if (asked++ === good) throw new RangeError('gone')
      }
      expect(await rejection(runSteps(own, steps, check))).toBeInstanceOf(RangeError)
    }
  })
})

/** From here on threads are given up soon. Not from the start: on a busy machine they may take long to begin. */
const impatient = ({ pool }: Setting): void => {
  Object.defineProperty(pool, 'patience', { value: 200 })
}

describe('failures', () => {
  it('of a kernel that leaves the memory surface, and the next go is well', async () => {
    const own = setting(2)
    const words = wordsFor(own.arena, 8)
    const next = taskOf(mixing(own.arena, 1), words.at, 8)
    const error = await rejection(runTasks(own, [taskOf(trapping(own.arena), words.at, 8), next]))
    expect(error).toBeInstanceOf(EngineError)
    expect(error.message).toContain('a kernel failed')
    expect(words.read()).toEqual(new Array(8).fill(1))
    expect([own.pool.failed, own.pool.busy]).toEqual([false, false])
    expect(await runTasks(own, [next])).toBe(true)
    expect(words.read()).toEqual(new Array(8).fill(4))
  })

  it('of a kernel that does not compile surface', async () => {
    const own = setting(1)
    const broken = taskOf(Uint8Array.of(0, 1, 2), wordsFor(own.arena, 2).at, 2)
    expect(await rejection(runTasks(own, [broken]))).toBeInstanceOf(EngineError)
  })

  it('of a thread that keeps its part surface after a while, and the threads are given up', async () => {
    const own = setting(1)
    const words = wordsFor(own.arena, 2)
    expect(await runTasks(own, [taskOf(mixing(own.arena, 1), words.at, 2)])).toBe(true)
    impatient(own)
    const error = await rejection(runTasks(own, [taskOf(endless(own.arena), words.at, 2)]))
    expect(error).toBeInstanceOf(EngineError)
    expect(error.message).toContain('stopped answering')
    expect([own.pool.failed, own.pool.busy]).toEqual([true, false])
    const again = runTasks(own, [taskOf(mixing(own.arena, 1), words.at, 2)])
    expect((await rejection(again)).message).toContain('given up')
  })

  it('of threads that end without a part are made up for', async () => {
    const own = setting(1)
    const words = wordsFor(own.arena, 2)
    expect(await runTasks(own, [taskOf(mixing(own.arena, 1), words.at, 2)])).toBe(true)
    await started.at(-1)!.terminate()
    const ran: number[] = []
    const alone = taskOf(mixing(own.arena, 1), words.at, 2, (at) => ran.push(at) && 0)
    expect(await runTasks(own, [alone, alone])).toBe(true)
    expect(ran).toHaveLength(4)
    expect(own.pool.failed).toBe(false)
  })

  it('of threads that never begin are made up for', async () => {
    const own = setting(1)
    const words = wordsFor(own.arena, 2)
    expect(await runTasks(own, [taskOf(mixing(own.arena, 1), words.at, 2)])).toBe(true)
    impatient(own)
    // No thread has a number below this.
    own.pool.start = () => {
      own.pool.words[CONTROL.threads] = 0
    }
    const ran: number[] = []
    const alone = taskOf(mixing(own.arena, 1), words.at, 2, (at) => ran.push(at) && 0)
    expect(await runTasks(own, [alone])).toBe(true)
    expect([ran.length, own.pool.failed]).toEqual([2, false])
  })

  it('of threads that end with a part surface at once', async () => {
    // Their end is noticed, not that they are silent for long.
    const own = setting(1, 600_000)
    const words = wordsFor(own.arena, 2)
    expect(await runTasks(own, [taskOf(mixing(own.arena, 1), words.at, 2)])).toBe(true)
    const lost = rejection(runTasks(own, [taskOf(endless(own.arena), words.at, 2)]))
    while ((Atomics.load(own.pool.words, CONTROL.ticket) & 0xff) === 2) await new Promise((go) => setTimeout(go, 5))
    await started.at(-1)!.terminate()
    expect((await lost).message).toContain('stopped answering')
    expect(own.pool.failed).toBe(true)
  })
})
