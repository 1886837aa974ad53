// A thread that carries out tasks: its own engine and memory, so that whoever started it is free while it computes.
import { parentPort, workerData } from 'node:worker_threads'
import { configure } from 'bcast'
import { startEngineInThread } from '../engine/engine.ts'
import type { TaskPlan } from './plan.ts'
import type { FromThread, ThreadData, ToThread } from './protocol.ts'
import { OpenedPlan, type TaskDone } from './task.ts'
import { failureOf } from './task-error.ts'

const { memory, machineCode } = workerData as ThreadData
const OVERHEAD = 8 << 20
const say = (said: FromThread): void => parentPort!.postMessage(said)

interface Entry {
  readonly plan: TaskPlan
  opened?: Promise<OpenedPlan>
  /** Tasks that are under way. */
  readonly running: Set<Promise<unknown>>
}

/** Plans by their hash, opened when the first of their tasks comes; one that does not open is tried again by the next. */
const plans = new Map<string, Entry>()

async function run(entry: Entry, index: number): Promise<TaskDone> {
  entry.opened ??= OpenedPlan.open(entry.plan).catch((error) => {
    entry.opened = undefined!
    throw error
  })
  return (await entry.opened).run(index)
}

async function forget(hash: string): Promise<void> {
  const entry = plans.get(hash)
  if (entry === undefined) return
  plans.delete(hash)
  // Nobody may close files under a task.
  await Promise.allSettled(entry.running)
  // One that did not open has nothing to close.
  await (await entry.opened?.catch(() => undefined))?.close()
}

// The engine takes no more than is planned, and its own few blocks.
configure({ threads: 1, memory: memory + OVERHEAD })
if (machineCode) await startEngineInThread()
parentPort!.on('message', (told: ToThread) => {
  if (told.kind === 'plan') plans.set(told.plan.hash, { plan: told.plan, running: new Set() })
  else if (told.kind === 'forget') void forget(told.hash)
  else {
    const { id, hash, index } = told
    const entry = plans.get(hash)!
    const running = run(entry, index).then(
      (done) => say({ kind: 'done', id, done }),
      (error) => say({ kind: 'failed', id, failure: failureOf(error) }),
    )
    entry.running.add(running)
    void running.then(() => entry.running.delete(running))
  }
})
