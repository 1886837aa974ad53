// A worker whose tasks take no time, in a process of its own: what is left is what the queue takes.
import { openQueue } from '../../packages/cli/src/workers/queue.ts'
import { parseQueueUrl } from '../../packages/cli/src/workers/queue-url.ts'
import { work } from '../../packages/cli/src/workers/work.ts'
import { THREADS, VERSION } from './settings.ts'

const run = async (_: unknown, index: number) => ({
  index,
  computed: true,
  bytesRead: 0,
  bytesWritten: 0,
  milliseconds: 0,
})
const stop = new AbortController()
process.once('disconnect', () => stop.abort())
const queue = await openQueue(parseQueueUrl(process.argv[2]!))
const nothing = (): void => {}
const hooks = { notice: nothing, began: nothing, done: nothing }
const options = { version: VERSION, threads: THREADS, memory: Number.MAX_SAFE_INTEGER, ...hooks }
await work(queue, { run }, options, stop.signal)
