// A worker of a page may wait, so calls in it share their work with threads; some part must really run on one.

import { canShareWork, wasm } from './dist/backend/platform.js'
import { Assembler } from './dist/backend/webassembly/codegen/assembler.js'
import { wasmModule } from './dist/backend/webassembly/codegen/module.js'
import { i32_store } from './dist/backend/webassembly/codegen/opcodes.js'
import { Arena } from './dist/backend/webassembly/memory/arena.js'
import { MEANS } from './dist/backend/webassembly/threads/load.js'
import { ThreadPool } from './dist/backend/webassembly/threads/pool.js'
import * as library from './dist/index.js'
import * as npy from './dist/npy.js'
import { asynchronous, compute } from './operations.js'

const bcast = { ...library, ...npy }

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Hands out parts until another thread has run one. */
async function anotherRuns() {
  const arena = new Arena(wasm, { limit: 2 ** 24, shared: true })
  const threads = new ThreadPool(arena, MEANS)
  threads.start(1)
  const at = arena.allocate(64)
  const word = new Int32Array(arena.buffer, at, 1)
  const asm = new Assembler()
  asm.get(asm.parameter).i32(1).memory(i32_store).i32(0)
  const bytes = wasmModule(asm.finish(), arena)
  const run = () => {
    const end = performance.now() + 5
    while (performance.now() < end);
    return 0
  }
  for (let round = 0; round < 500 && word[0] === 0; round++) {
    threads.share({ run, id: 0, bytes, parametersAt: at, parametersSize: 0, parts: 4 })
    await pause(5)
  }
  return word[0] === 1
}

bcast.configure({ threads: 3 })
const first = await compute(bcast)
await pause(200)
const results = await compute(bcast)
const later = await compute(asynchronous(bcast))
postMessage({ results, first, later, canShareWork, anotherRan: await anotherRuns() })
