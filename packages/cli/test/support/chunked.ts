// Evaluations in chunks for tests: arrays in a temporary folder, tasks carried out in this thread in any order.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tensor } from 'bcast'
import { afterAll, beforeAll } from 'vitest'
import { bitsOf, MemorySink } from '../../../../testing/files/memory-arrays.ts'
import { parseExpression } from '../../src/expression/parse.ts'
import { countOf, newElements, type StoredDType, type TypedArray } from '../../src/files/element.ts'
import { openSink, openSource } from '../../src/files/open.ts'
import type { ArraySource } from '../../src/files/source.ts'
import { Evaluation } from '../../src/stream/evaluate.ts'
import { evaluateInChunks } from '../../src/tasks/evaluate-in-chunks.ts'
import type { TaskPlan } from '../../src/tasks/plan.ts'
import { type ChunkedQuestion, planEvaluation } from '../../src/tasks/plan-evaluation.ts'
import type { CarryOut } from '../../src/tasks/run-tasks.ts'
import { OpenedPlan } from '../../src/tasks/task.ts'
import { failureOf } from '../../src/tasks/task-error.ts'
import { TaskError } from '../../src/tasks/threads.ts'
import { zarrPlace } from '../../src/zarr/place.ts'

let made = ''
export const folder = (): string => made
/** A file in the folder; addresses stay as they are. */
export const file = (name: string): string => (name.includes('://') ? name : join(made, name))
beforeAll(() => {
  made = mkdtempSync(join(tmpdir(), 'bcast-tasks-'))
})
afterAll(() => rmSync(made, { recursive: true, force: true }))

export async function save(name: string, { dtype, shape, data }: Tensor): Promise<void> {
  const sink = await openSink(file(name), { dtype: dtype as StoredDType, shape })
  await sink.write(data as TypedArray)
  await sink.finish()
}

export async function load(
  name: string,
): Promise<{ dtype: StoredDType; shape: readonly number[]; bits: ReturnType<typeof bitsOf> }> {
  const source = await openSource(file(name))
  const { dtype, shape } = source
  const elements = newElements(dtype, countOf(shape))
  await source.read(0, elements)
  await source.close()
  return { dtype, shape, bits: bitsOf(elements) }
}

export const silent = { begin: () => {}, done: () => {} }

/** Tasks in this thread, in the given order; each as often as it is named. */
export const inOrder =
  (order: (count: number) => readonly number[]): CarryOut =>
  async (plan, isDone, tell) => {
    const opened = await OpenedPlan.open(plan)
    try {
      for (const index of order(plan.count)) {
        if (isDone(index)) continue
        const done = await opened.run(index).catch((error) => Promise.reject(new TaskError(index, failureOf(error))))
        tell(done)
      }
    } finally {
      await opened.close()
    }
  }

export const forward = inOrder((count) => Array.from({ length: count }, (_, i) => i))

export type Given = Partial<ChunkedQuestion> & {
  readonly expression: string
  readonly names: readonly string[]
  readonly to: string
}

export async function planOf({ names, to, ...given }: Given): Promise<TaskPlan> {
  const { plan } = await planEvaluation({
    ...{ rule: {}, dtype: undefined, chunks: undefined, shards: undefined, codec: { name: 'none' } },
    ...{ threads: 1, memory: 2 ** 26 },
    ...given,
    root: parseExpression(given.expression),
    files: new Map(names.map((name) => [name.slice(0, 1), file(name)])),
    place: zarrPlace(file(to))!,
  })
  return plan
}

export async function inChunks(given: Given, carryOut: CarryOut = forward): Promise<ReturnType<typeof load>> {
  await evaluateInChunks(await planOf(given), carryOut, false, silent)
  return load(given.to)
}

export async function inOnePiece(expression: string, names: readonly string[]) {
  const sources = new Map<string, ArraySource>()
  for (const name of names) sources.set(name.slice(0, 1), await openSource(file(name)))
  const evaluation = new Evaluation({
    expression,
    root: parseExpression(expression),
    sources,
    rule: undefined,
    dtype: undefined,
  })
  const sink = new MemorySink()
  await evaluation.run(sink, 2 ** 22, () => {})
  for (const source of sources.values()) await source.close()
  return { dtype: evaluation.dtype, shape: evaluation.shape, bits: bitsOf(sink.elements(evaluation.dtype)) }
}
