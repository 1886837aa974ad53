// From what the user wrote to a plan: opens the arrays, settles the expression, cuts the result, and gives each thread
// its share of the memory.
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { fromData, type Tensor } from 'bcast'
import { type RuleOptions, ruleFor } from '../arguments/rules.ts'
import type { Expression } from '../expression/syntax.ts'
import { type Kept, keepArray } from '../files/blocks/kept-array.ts'
import { newElements, type StoredDType, type TypedArray } from '../files/element.ts'
import { isReadOnce, openSource } from '../files/open.ts'
import type { ArraySource } from '../files/source.ts'
import { inOrder, makeRoom } from '../stream/feed.ts'
import { Settled } from '../stream/settled.ts'
import { version } from '../terminal/version.ts'
import { isZarr, type ZarrArray } from '../zarr/array.ts'
import { spelledFill } from '../zarr/metadata/spelled-fill.ts'
import type { ZarrOutput } from '../zarr/output.ts'
import { type ZarrPlace, zarrPlace } from '../zarr/place.ts'
import { checkCut, defaultChunks } from './chunked-output.ts'
import { type OperandFacts, type PlanQuestion, planTasks, type TaskPlan, TaskTooLarge } from './plan.ts'

export interface ChunkedQuestion {
  readonly expression: string
  readonly root: Expression
  /** Places by name. */
  readonly files: ReadonlyMap<string, string>
  readonly rule: RuleOptions
  readonly dtype: StoredDType | undefined
  readonly place: ZarrPlace
  readonly chunks: readonly number[] | undefined
  readonly shards: readonly number[] | undefined
  readonly codec: ZarrOutput['codec']
  /** The most threads, and bytes for the arrays of all of them. */
  readonly threads: number
  readonly memory: number
}

export interface Planned {
  readonly plan: TaskPlan
  /** As many as the memory allows. */
  readonly threads: number
  /** Gives up what was kept of arrays that can be read once only. */
  close(): Promise<void>
}

const isAddress = (place: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(place)

/** What opens a place from anywhere. */
const absolute = (place: string): string => (isAddress(place) ? place : path.resolve(place))

/** What tells an array from another that was at the same place, where that is a file. */
async function identityOf(place: string): Promise<string> {
  if (isAddress(place)) return ''
  const zarr = zarrPlace(place)
  const files =
    zarr === undefined
      ? [place, place.replace(/:[^/]*$/, '')]
      : ['zarr.json', '.zarray'].map((name) => path.join(zarr.store, zarr.path, name))
  for (const file of files) {
    const found = await stat(file).catch(() => undefined)
    if (found?.isFile()) return `${found.size} bytes of ${found.mtimeMs}`
  }
  return ''
}

/** An array of the expression, as every thread opens it again. */
interface Opened {
  readonly source: ArraySource
  readonly place: string
  readonly kept?: Kept
}

async function openOne(spec: string, memory: number): Promise<Opened> {
  if (!(await isReadOnce(spec))) {
    const place = absolute(spec)
    return { source: await openSource(place, { memory }), place }
  }
  const source = await openSource(spec, { memory })
  try {
    return { source, place: spec, kept: await keepArray(source) }
  } catch (error) {
    await source.close()
    throw error
  }
}

async function openAll(files: ReadonlyMap<string, string>, memory: number): Promise<Map<string, Opened>> {
  const arrays = new Map<string, Opened>()
  try {
    for (const [name, spec] of files) arrays.set(name, await openOne(spec, memory))
    return arrays
  } catch (error) {
    await closeAll([...arrays.values()].flatMap(({ source, kept }) => [source, kept]))
    throw error
  }
}

async function closeAll(each: Iterable<{ close(): Promise<void> } | undefined>): Promise<void> {
  for (const one of each) await one?.close()
}

/** The chunks of an array that fills the result, so that what is read at once is written at once. */
function chunksLike({ arrays, shape }: Settled): { chunks: number[]; shards?: number[] } | undefined {
  const like = arrays.find(({ source, sizes }) => isZarr(source) && sizes.every((size, axis) => size === shape[axis]))
  if (like === undefined) return undefined
  const { chunks, inner } = like.source as ZarrArray
  const placed = (sizes: readonly number[]): number[] => shape.map((_, axis) => sizes[like.axes.indexOf(axis)] ?? 1)
  const isSharded = inner.some((size, axis) => size !== chunks[axis])
  return { chunks: placed(inner), ...(isSharded ? { shards: placed(chunks) } : {}) }
}

/** What the expression gives where nothing is stored of any array; undefined where that has no value, or cannot be. */
function filling(settled: Settled): TypedArray | undefined {
  const { arrays, dtype, shape } = settled
  if (arrays.length === 0 || !arrays.every(({ source }) => isZarr(source))) return undefined
  const one = shape.map(() => 1)
  const parts = arrays.map(({ source }) => fromData(source.dtype, (source as ZarrArray).fill as never, one) as Tensor)
  const room = makeRoom(dtype, 1)
  const fault = settled.compute({ origin: shape.map(() => 0), shape: one }, parts, inOrder(room, one, 'row-major'))
  return fault === undefined ? (room.data.slice() as TypedArray) : undefined
}

function outputOf(
  { chunks, shards, codec }: ChunkedQuestion,
  settled: Settled,
): { array: ZarrOutput; isFilled: boolean } {
  const { dtype, shape } = settled
  const like = chunks === undefined && shards === undefined ? chunksLike(settled) : undefined
  const cut = { chunks: chunks ?? defaultChunks(shape, dtype), ...(shards === undefined ? {} : { shards }), ...like }
  checkCut(shape, cut.chunks, cut.shards)
  const fill = filling(settled)
  const spelled = spelledFill(dtype, fill ?? newElements(dtype, 1))
  return { array: { dtype, shape, ...cut, codec, fill: spelled }, isFilled: fill !== undefined }
}

/** Of the memory of a thread, what its sources may take to read. */
const SOURCES = 1 / 8

/** As many threads as have room for the largest task; throws where one has not. */
function fitted(question: Omit<PlanQuestion, 'memory'>, { threads, memory }: ChunkedQuestion): Omit<Planned, 'close'> {
  for (let count = threads; ; count--) {
    try {
      return { plan: planTasks({ ...question, memory: memory / count }), threads: count }
    } catch (error) {
      if (!(error instanceof TaskTooLarge) || count === 1) throw error
    }
  }
}

export async function planEvaluation(question: ChunkedQuestion): Promise<Planned> {
  const { expression, root, files, rule, dtype, place, threads, memory } = question
  const sourceMemory = Math.floor((memory / threads) * (SOURCES / Math.max(1, files.size)))
  const arrays = await openAll(files, sourceMemory)
  const sources = new Map([...arrays].map(([name, { source }]) => [name, source]))
  const close = (): Promise<void> => closeAll([...arrays.values()].map(({ kept }) => kept))
  try {
    const settled = new Settled({
      ...{ expression, root, sources, dtype },
      rule: rule.rule === undefined ? undefined : ruleFor(rule),
    })
    const operands: OperandFacts[] = []
    for (const [name, { source, place: at, kept }] of arrays) {
      const facts = { name, place: at, dtype: source.dtype, shape: source.shape }
      const memory = isZarr(source) ? source.memory : undefined
      if (kept === undefined) operands.push({ ...facts, identity: await identityOf(at), memory })
      else {
        const { descriptor, order, digest } = kept
        operands.push({ ...facts, identity: digest, memory, kept: { descriptor, order } })
      }
    }
    const { array, isFilled } = outputOf(question, settled)
    const target = isAddress(place.store) ? place.store : path.resolve(place.store)
    const facts = { version: version(), expression, rule, dtype, settled, operands, isFilled, sourceMemory }
    return { ...fitted({ ...facts, place: { ...place, store: target }, array }, question), close }
  } catch (error) {
    await close()
    throw error
  } finally {
    await closeAll(sources.values())
  }
}
