// ThreadPool: every part is run exactly once whoever takes it, a failure surfaces instead of a wrong result or a hang,
// and no thread keeps a process alive.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from 'bcast'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { wasm } from '../../../src/backend/platform.ts'
import { CONTROL_ROOM, WebAssemblyBackend } from '../../../src/backend/webassembly/backend.ts'
import { Assembler } from '../../../src/backend/webassembly/codegen/assembler.ts'
import { wasmModule } from '../../../src/backend/webassembly/codegen/module.ts'
import * as opcodes from '../../../src/backend/webassembly/codegen/opcodes.ts'
import { Arena } from '../../../src/backend/webassembly/memory/arena.ts'
import { runAlone, type Task } from '../../../src/backend/webassembly/task.ts'
import * as CONTROL from '../../../src/backend/webassembly/threads/control.ts'
import { loadThreads, MEANS } from '../../../src/backend/webassembly/threads/load.ts'
import { ThreadPool } from '../../../src/backend/webassembly/threads/pool.ts'
import { MAX_PARTS } from '../../../src/plan/kernels.ts'

import { type Built, build, forbidden, noWorkers } from '../../support/built.ts'
import { thrownBy } from '../../support/thrown.ts'

const MIB = 2 ** 20
const SIZE = 64
const makeArena = (): Arena => new Arena(wasm!, { limit: 64 * MIB, shared: true })
const rest = new Int32Array(new SharedArrayBuffer(4))
const pause = (milliseconds: number): void => void Atomics.wait(rest, 0, 0, milliseconds)

function kernel(arena: Arena, write: (asm: Assembler) => void): Uint8Array {
  const asm = new Assembler()
  write(asm)
  return wasmModule(asm.finish(), arena)
}

/** Adds 2 to the word at its parameters, and gives 0. What runs on the calling thread adds 1 instead. */
const marking = (arena: Arena): Uint8Array =>
  kernel(arena, (asm) => {
    const at = asm.parameter
    asm.get(at).get(at).memory(opcodes.i32_load).i32(2).op(opcodes.i32_add).memory(opcodes.i32_store).i32(0)
  })

const reading = (arena: Arena, address: number): Uint8Array =>
  kernel(arena, (asm) => asm.i32(address).memory(opcodes.i32_load).op(opcodes.i32_eqz).op(opcodes.i32_eqz))

const endless = (arena: Arena): Uint8Array =>
  kernel(arena, (asm) => {
    asm.loop(() => asm.br(0)).i32(0)
  })

let ids = 0

interface Marks {
  readonly task: Task
  /** Who ran each part: 1 for the calling thread, 2 for another. */
  readonly read: () => number[]
}

function marks(arena: Arena, parts: number, bytes: Uint8Array = marking(arena), slow = 0): Marks {
  const at = arena.allocate(parts * SIZE)!
  const words = new Int32Array(arena.buffer, at, (parts * SIZE) / 4)
  words.fill(0)
  const run = (parameters: number): number => {
    if (slow > 0) pause(slow)
    words[(parameters - at) / 4]! += 1
    return 0
  }
  return {
    task: { run, id: ids++, bytes, parametersAt: at, parametersSize: SIZE, parts },
    read: () => Array.from({ length: parts }, (_, part) => words[(part * SIZE) / 4]!),
  }
}

/** The first result that is not 0, of as many chances as `often` gives. */
const eventually = (share: () => number): number => {
  for (let round = 0; round < 500; round++) {
    const result = share()
    if (result !== 0) return result
  }
  return 0
}

/** On a busy machine either side may be through before the other takes a part, so it is given many chances. */
const often = (share: () => number) => (): void => {
  for (let round = 0; round < 500; round++) share()
}

/** Shares tasks until another thread has run a part of one. */
function untilShared(arena: Arena, threads: ThreadPool): void {
  for (let i = 0; i < 2000; i++) {
    const { task, read } = marks(arena, 8, marking(arena), 5)
    threads.share(task)
    if (read().includes(2)) return
  }
  throw new Error('no other thread takes a part')
}

/** ThreadPool of which one at least has run something. */
function awake(arena: Arena, count: number, patience?: number): ThreadPool {
  const threads = new ThreadPool(arena, MEANS, arena.allocate(CONTROL.BYTES)!, patience)
  threads.start(count)
  untilShared(arena, threads)
  return threads
}

describe('parts', () => {
  it('are each run once, whoever takes them', () => {
    const arena = makeArena()
    const threads = awake(arena, 3)
    let others = 0
    const wrong: number[] = []
    // Others get more chances where the machine is busy.
    for (let round = 0; round < 300 || (others === 0 && round < 30_000); round++) {
      const parts = [1, 2, 3, 7, 64, MAX_PARTS][round % 6]!
      const { task, read } = marks(arena, parts)
      if (threads.share(task) !== 0) wrong.push(round)
      const ran = read()
      if (!ran.every((mark) => mark === 1 || mark === 2)) wrong.push(round)
      others += ran.filter((mark) => mark === 2).length
      arena.free(task.parametersAt, parts * SIZE)
    }
    expect(wrong).toEqual([])
    expect(others).toBeGreaterThan(0)
  })

  it('are all run by the calling thread while no other has started', () => {
    const arena = makeArena()
    const threads = new ThreadPool(arena, MEANS, arena.allocate(CONTROL.BYTES)!)
    const { task, read } = marks(arena, 20)
    expect(threads.share(task)).toBe(0)
    expect(new Set(read())).toEqual(new Set([1]))
    expect(runAlone(task)).toBe(0)
    expect(new Set(read())).toEqual(new Set([2]))
  })

  it('are shared where the arena was full before there were threads', async () => {
    const arena = new Arena(wasm!, { limit: 8 * MIB, shared: true })
    const backend = new WebAssemblyBackend(wasm!, arena)
    for (let bytes = 4 * MIB; bytes >= 16; bytes /= 2) while (arena.allocate(bytes) !== undefined);
    await loadThreads()
    expect(backend.pool).toBeInstanceOf(ThreadPool)
    expect(CONTROL.BYTES).toBeLessThanOrEqual(CONTROL_ROOM)
  })

  it('are left alone by threads that are not wanted any more', () => {
    const arena = makeArena()
    const threads = awake(arena, 2)
    threads.start(0)
    const alone = marks(arena, 20, marking(arena), 2)
    threads.share(alone.task)
    expect(new Set(alone.read())).toEqual(new Set([1]))
    threads.start(1)
    untilShared(arena, threads)
  })

  it('say that an element had no value, whoever finds it', () => {
    const arena = makeArena()
    const threads = awake(arena, 2)
    const { task } = marks(arena, 20, reading(arena, marks(arena, 1).task.parametersAt), 1)
    expect(threads.share(task)).toBe(0)
    const filled = arena.allocate(64)!
    new Int32Array(arena.buffer, filled, 1)[0] = 5
    const found = marks(arena, 20, reading(arena, filled), 1)
    expect(eventually(() => threads.share(found.task))).toBe(1)
    const here = { ...task, run: () => 1, bytes: marking(arena), id: ids++ }
    expect(eventually(() => threads.share(here))).toBe(1)
    expect(runAlone({ ...task, run: () => 1 })).toBe(1)
  })

  it('may lie in memory that has grown since the threads started', () => {
    const arena = makeArena()
    const threads = awake(arena, 2)
    for (let round = 0; round < 20; round++) {
      expect(arena.allocate(2 * MIB)).toBeDefined()
      const { task, read } = marks(arena, 10, marking(arena), 1)
      expect(threads.share(task)).toBe(0)
      expect(read()).not.toContain(0)
    }
  })

  it('go through when there is no room to hand the kernel over', () => {
    const arena = makeArena()
    const threads = awake(arena, 2)
    const { task, read } = marks(arena, 10)
    while (arena.allocate(64) !== undefined) arena.allocate(MIB)
    expect(threads.share(task)).toBe(0)
    expect(new Set(read())).toEqual(new Set([1]))
  })

  it('find the kernels that ran last, of however many, in little memory', () => {
    const arena = makeArena()
    const threads = awake(arena, 2)
    const bytes = marking(arena)
    const shared = Array.from({ length: 100 }, () => marks(arena, 8, bytes, 0.05))
    const before = arena.freeBytes
    const wrong = shared.flatMap(({ task, read }) => {
      const runs = [threads.share(task), threads.share(task)]
      // The calling thread adds 1 for a part, another 2.
      return runs.every((fault) => fault === 0) && read().every((mark) => mark >= 2 && mark <= 4) ? [] : [task.id]
    })
    expect(wrong).toEqual([])
    expect(before - arena.freeBytes).toBeLessThanOrEqual(16 * (bytes.length + 64))
  })
})

describe('failures', () => {
  it('of a kernel that leaves the memory surface, on either side, and the next task is well', () => {
    const arena = makeArena()
    const threads = awake(arena, 2)
    const beyond = reading(arena, -4)
    const { exports } = new wasm!.Instance(new wasm!.Module(beyond as Uint8Array<ArrayBuffer>), {
      bcast: { memory: arena.memory, remainder: () => 0 },
    })
    const { task } = marks(arena, 20, beyond, 1)
    expect(often(() => threads.share(task))).toThrow(EngineError)
    const here = { ...task, bytes: marking(arena), id: ids++, run: exports['run'] as Task['run'] }
    expect(often(() => threads.share(here))).toThrow(EngineError)
    const well = marks(arena, 20)
    expect(threads.share(well.task)).toBe(0)
    expect(well.read()).not.toContain(0)
    expect(threads.failed).toBe(false)
  })

  it('of a kernel that does not compile surface', () => {
    const arena = makeArena()
    const threads = awake(arena, 1)
    const { task } = marks(arena, 20, Uint8Array.of(0, 1, 2), 1)
    expect(often(() => threads.share(task))).toThrow(EngineError)
  })

  it('of a thread that keeps its part surface after a while, and the threads are given up', () => {
    const arena = makeArena()
    const threads = awake(arena, 1, 200)
    const { task } = marks(arena, 4, endless(arena), 5)
    const error = thrownBy(often(() => threads.share(task)))
    expect(error).toBeInstanceOf(EngineError)
    expect(error.message).toContain('stopped answering')
    expect(threads.failed).toBe(true)
  })
})

describe('processes', () => {
  let built: Built
  beforeAll(async () => {
    built = await build()
  })
  afterAll(() => built?.remove())

  const program = (more: string, entry = 'node.js', threads = 3): string => `
    let started = 0
    process.on('worker', () => started++)
    process.on('exit', () => { if (started !== ${threads}) process.exitCode = 9 })
    import { add, configure, tensor } from '${built.url(entry)}'
    configure({ threads: 4 })
    const x = add(tensor(new Float32Array(1 << 20).fill(1), { share: true }), 0)
    let y = x
    for (let i = 0; i < 20; i++) y = add(x, y)
    ${more}
    console.log(y.get(0), y.get((1 << 20) - 1))
  `

  it('end by themselves after using threads', async () => {
    const { stdout, stderr } = await built.run(program(''))
    expect(stdout).toBe('21 21\n')
    expect(stderr).toBe('')
  })

  it('end by themselves after waiting for other things', async () => {
    const later = 'await new Promise((resolve) => setTimeout(resolve, 300)); y = add(x, y)'
    expect((await built.run(program(later))).stdout).toBe('22 22\n')
  })

  it('load the code of threads where it does not come with the library, and use it from then on', async () => {
    const pause = 'await new Promise((resolve) => setTimeout(resolve, 300))'
    const later = `if (started > 0) process.exit(8); ${pause}; y = await add.async(x, add(x, y))`
    expect((await built.run(program(later, 'index.js', 4))).stdout).toBe('23 23\n')
  })

  it('compute without the code of threads, and say so once', async () => {
    const code = join(built.folder, 'backend/webassembly/threads/threads.js')
    const text = await readFile(code)
    await rm(code)
    const { stdout, stderr } = await built.run(program('y = await add.async(x, await add.async(x, y))', 'index.js', 0))
    await writeFile(code, text)
    expect(stdout).toBe('23 23\n')
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^bcast: the code of worker threads does not load/),
    ])
  })

  it('have threads without the file that pages start them from', async () => {
    await rm(join(built.folder, 'backend/webassembly/threads/bcast-worker.js'))
    const { stdout, stderr } = await built.run(program(''))
    expect([stdout, stderr]).toEqual(['21 21\n', ''])
  })

  it('compute where workers are forbidden, and say once why', async () => {
    const later = 'await new Promise((resolve) => setTimeout(resolve, 300)); y = add(x, y)'
    const { stdout, stderr } = await built.run(`${program(later)}; process.removeAllListeners('exit')`, ...noWorkers)
    expect(stdout).toBe('22 22\n')
    expect(stderr.split('\n').filter((line) => line.startsWith('bcast'))).toEqual([forbidden])
  })
})
