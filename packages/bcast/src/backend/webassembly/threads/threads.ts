// The code of threads, as it is loaded: by itself, with the first call that could use it.
export { ThreadPool } from './pool.ts'
export { runSteps } from './queue.ts'
export { runQueued } from './queued.ts'
