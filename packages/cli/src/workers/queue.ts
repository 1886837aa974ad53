// The queue of jobs at an address: BullMQ over Redis or PostgreSQL, one code path for both. That the server is there,
// lets us in and keeps what it is given is found out first, once, so that a wrong address is an error and no waiting.
import type { EventEmitter } from 'node:events'
import {
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
  type JobProgress,
  type Processor,
  type Queue,
  type QueueEvents,
  type QueueEventsProducer,
  type Worker,
  type WorkerOptions,
  withBackend,
} from 'bullmq'
import { Redis } from 'ioredis'
import type { TaskDone } from '../tasks/task.ts'
import type { ChunkJob } from './job.ts'
import { PATIENCE, QueueError } from './queue-error.ts'
import type { QueueUrl } from './queue-url.ts'

/** All evaluations share it; the job says which one it belongs to. */
const NAME = 'bcast'
/** Milliseconds before a lost connection is tried again, at most. */
const LONGEST_PAUSE = 1000
/** Milliseconds after which events are asked for without having been told of: PostgreSQL may forget to tell. */
const EVENTS = 1000
/** The oldest Redis that BullMQ works with. */
const LEAST_REDIS = 5

type Connection = Readonly<Record<string, unknown>>

export type Jobs = Queue<ChunkJob, TaskDone, string, ChunkJob, TaskDone, string, IQueueBackend, Connection>
export type Events = QueueEvents<TaskDone, IQueueBackend, Connection>

export interface JobQueue {
  readonly url: QueueUrl
  /** What whoever runs the server should know, in sentences. */
  readonly warnings: readonly string[]
  jobs(): Jobs
  /** From the event with this id on; otherwise from some moment soon. */
  events(after?: string): Events
  announcements(): QueueEventsProducer<IQueueBackend, Connection>
  worker(
    process: Processor<ChunkJob, TaskDone>,
    options: Omit<WorkerOptions<Connection>, 'connection'>,
  ): Worker<ChunkJob, TaskDone, string, IQueueBackend, JobProgress, Connection>
}

/** Asks a Redis who it is. */
async function redisInfo(url: QueueUrl): Promise<ReadonlyMap<string, string>> {
  const client = new Redis(url.href, {
    lazyConnect: true,
    connectTimeout: PATIENCE,
    commandTimeout: PATIENCE,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  // The reason comes as an event; who waits is only told that the connection is closed.
  let reason: unknown
  client.on('error', (error) => (reason ??= error))
  try {
    await client.connect()
    const lines = (await client.info()).split(/\r?\n/)
    return new Map(lines.map((line) => line.split(':', 2) as [string, string]))
  } catch (error) {
    throw new QueueError(url, reason ?? error)
  } finally {
    if (client.status !== 'end') client.disconnect()
  }
}

async function redisWarnings(url: QueueUrl): Promise<string[]> {
  const info = await redisInfo(url)
  const version = info.get('redis_version') ?? ''
  if (Number.parseInt(version, 10) < LEAST_REDIS) {
    throw new QueueError(url, new Error(`it is Redis ${version}, and workers need Redis ${LEAST_REDIS} or newer.`))
  }
  const policy = info.get('maxmemory_policy') ?? 'noeviction'
  if (policy === 'noeviction') return []
  return [
    `${url.shown} may drop jobs when its memory is full (maxmemory-policy ${policy}): chunks would be computed again. Set it to noeviction.`,
  ]
}

export async function openQueue(url: QueueUrl): Promise<JobQueue> {
  const isRedis = url.kind === 'Redis'
  const warnings = isRedis ? await redisWarnings(url) : []
  const connection: Connection = isRedis
    ? {
        url: url.href,
        // Commands wait for a server that is away and comes back.
        maxRetriesPerRequest: null,
        connectTimeout: PATIENCE,
        retryStrategy: (times: number) => Math.min(100 * times, LONGEST_PAUSE),
        // It was asked above, and BullMQ would warn for every connection.
        skipVersionCheck: true,
      }
    : {
        connectionString: url.href,
        connectionTimeoutMillis: PATIENCE,
        // A connection that is lost between two questions has nobody to tell; whoever asks next is told.
        onConnect: (client: EventEmitter) => void client.on('error', () => {}),
      }
  const backend = (isRedis ? createRedisBackend : createPostgresBackend) as BackendFactory<IQueueBackend, Connection>
  const { Queue, QueueEvents, QueueEventsProducer, Worker } = withBackend(backend)
  if (!isRedis) await migrate(url, new Queue(NAME, { connection: { ...connection, migrate: true } }))
  return {
    url,
    warnings,
    jobs: () => new Queue<ChunkJob, TaskDone>(NAME, { connection }),
    events: (after) =>
      new QueueEvents<TaskDone>(NAME, {
        connection,
        blockingTimeout: EVENTS,
        ...(after === undefined ? {} : { lastEventId: after }),
      }),
    announcements: () => new QueueEventsProducer(NAME, { connection }),
    worker: (process, options) => new Worker<ChunkJob, TaskDone>(NAME, process, { ...options, connection }),
  }
}

/** Ids of jobs that wait or are carried out. */
export const idsIn = (jobs: Jobs): Promise<string[]> => jobs.getRanges(['waiting', 'active', 'delayed'], 0, -1)

/** PostgreSQL is asked by BullMQ, which also makes the tables that it needs. */
async function migrate(url: QueueUrl, jobs: Jobs): Promise<void> {
  jobs.on('error', () => {})
  try {
    await jobs.waitUntilReady()
  } catch (error) {
    throw new QueueError(url, error)
  } finally {
    await jobs.close()
  }
}
