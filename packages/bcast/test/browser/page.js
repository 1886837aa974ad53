// What every page runs: the calls on the page's own thread in both forms, then, where threads are possible, in a worker
// with threads of its own. What came out goes to the server, which says where to go next.

import { compiling } from './dist/backend/backends.js'
import * as CONTROL from './dist/backend/webassembly/threads/control.js'
import * as library from './dist/index.js'
import * as npy from './dist/npy.js'
import { asynchronous, compute } from './operations.js'

const bcast = { ...library, ...npy }

const warnings = []
console.warn = (...parts) => warnings.push(parts.join(' '))

async function send(report) {
  const answer = await fetch('report', { method: 'POST', body: JSON.stringify(report) })
  const { next } = await answer.json()
  if (next !== undefined) location.href = next
}

const inWorker = () =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./page-worker.js', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }) => resolve(data)
    worker.onerror = ({ message }) => reject(new Error(message))
  })

/** How often other things got their turn while something was computed. */
async function whileTurning(work) {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const results = await work()
  clearInterval(timer)
  return { turns, results }
}

try {
  bcast.configure({ threads: 4 })
  const results = await compute(bcast)
  const { turns, results: later } = await whileTurning(() => compute(asynchronous(bcast)))
  const engine = compiling()
  const memory = engine === undefined ? 'none' : engine.arena.shared ? 'shared' : 'of one size'
  const isolated = globalThis.crossOriginIsolated
  const batches = memory === 'shared' ? engine.pool.words[CONTROL.ended] : 0
  const worker = isolated ? await inWorker() : undefined
  await send({ results, later, turns, batches, warnings, memory, isolated, worker })
} catch (error) {
  await send({ error: `${error.stack ?? error}` })
}
