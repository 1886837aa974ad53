// The process around a peer: answers requests line by line, and does all timing, so that every JavaScript peer is
// timed by the same loop.
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Mode, REPLY, type Reply, type Request, type Task } from '../../task.ts'
import { arrayOver, type Calls, type Peer } from './peer.ts'

/** A batch of calls is at least this long, so that the clock's grain and a collection of garbage are part of it. */
const BATCH_MS = 8

function arrayFrom(operand: Task['operands'][number]) {
  const bytes = readFileSync(operand.file)
  const own = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  return { ...operand, array: arrayOver(operand.dtype, own) }
}

const message = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 200)

/** Milliseconds of each of `count` calls. */
async function batch<R>(calls: Calls<R>, mode: Mode, waits: boolean, count: number): Promise<number> {
  const begun = performance.now()
  if (mode === 'fresh') {
    if (waits) for (let i = 0; i < count; i++) calls.free(await calls.fresh())
    else for (let i = 0; i < count; i++) calls.free(calls.fresh() as R)
  } else if (waits) for (let i = 0; i < count; i++) await calls.out!()
  else for (let i = 0; i < count; i++) calls.out!()
  return (performance.now() - begun) / count
}

/** Best milliseconds of one call, over batches for `ms` milliseconds and at least `least` of them. */
async function best<R>(calls: Calls<R>, mode: Mode, ms: number, least: number): Promise<number> {
  const end = performance.now() + ms
  const first = mode === 'fresh' ? calls.fresh() : calls.out!()
  const waits = first instanceof Promise
  const result = await first
  if (mode === 'fresh') calls.free(result)
  let fastest = Number.POSITIVE_INFINITY
  let count = 1
  for (let done = 0; done < least || performance.now() < end; done++) {
    const each = await batch(calls, mode, waits, count)
    fastest = Math.min(fastest, each)
    if (each * count < BATCH_MS) count = Math.max(count, Math.ceil(BATCH_MS / Math.max(each, 1e-6)))
  }
  return fastest
}

export function serve<H, R>(peer: Peer<H, R>): void {
  let calls: Calls<R> | undefined

  const load = async (task: Task): Promise<Reply> => {
    const operands = task.operands.map((operand) => peer.load(arrayFrom(operand)))
    calls = await peer.build(task, operands)
    return { modes: calls.out === undefined ? ['fresh'] : ['fresh', 'out'] }
  }

  const first = async (task: Task): Promise<Reply> => {
    const operands = task.operands.map((operand) => peer.load(arrayFrom(operand)))
    const begun = performance.now()
    const made = await peer.build(task, operands)
    const result = await made.fresh()
    const seconds = (performance.now() - begun) / 1000
    made.free(result)
    return { seconds }
  }

  const answer = async (request: Request): Promise<Reply> => {
    if (request.do === 'load') return load(request.task)
    if (request.do === 'first') return first(request.task)
    if (request.do === 'unload') {
      calls = undefined
      return {}
    }
    if (calls === undefined) return { error: 'nothing is loaded' }
    if (request.do === 'time') return { seconds: (await best(calls, request.mode, request.ms, request.least)) / 1000 }
    const result = await (request.mode === 'fresh' ? calls.fresh() : calls.out!())
    const read = calls.read(result)
    const views = Array.isArray(read) ? (read as ArrayBufferView[]) : [read as ArrayBufferView]
    writeFileSync(
      request.file,
      Buffer.concat(views.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength))),
    )
    if (request.mode === 'fresh') calls.free(result)
    return {}
  }

  const lines = createInterface({ input: process.stdin })
  let turn: Promise<unknown> = Promise.resolve()
  lines.on('line', (line) => {
    turn = turn
      .then(() => answer(JSON.parse(line) as Request))
      .catch((error: unknown): Reply => ({ error: message(error) }))
      .then((reply) => process.stdout.write(`${REPLY}${JSON.stringify(reply)}\n`))
  })
  lines.on('close', () => process.exit(0))
}
