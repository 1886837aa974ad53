// What every page runs: the calls on the page's own thread, then, where threads are possible, in a worker with threads
// of its own. What came out goes to the server, which says where to go next.
import * as bcast from './dist/index.js'
import { currentEngine } from './dist/runtime/backend.js'
import { compute } from './operations.js'

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

try {
  bcast.configure({ threads: 4 })
  const results = compute(bcast)
  const engine = currentEngine()
  const memory = engine === undefined ? 'none' : engine.arena.shared ? 'shared' : 'of one size'
  const isolated = globalThis.crossOriginIsolated
  await send({ results, warnings, memory, isolated, worker: isolated ? await inWorker() : undefined })
} catch (error) {
  await send({ error: `${error.stack ?? error}` })
}
