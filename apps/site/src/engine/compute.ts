// What the worker of this view does: inspects a fused expression, and measures it against calls that are not fused and
// plain loops, all on the same elements.
import { Composer, type Expression, namesIn, parseExpression } from '@bcast/cli/expression'
import { configure, fuse, type Shape, type Tensor, tensor } from 'bcast'
import { type Inspection, inspect } from 'bcast/debug'
import { hasPlainLoops, plainLoops } from './plain-loops.ts'
import { unfused } from './unfused.ts'

export interface EngineQuestion {
  readonly expression: string
  readonly arrays: readonly { readonly name: string; readonly shape: Shape }[]
}

/** Milliseconds of one call, and how it was done. */
export interface Timed {
  readonly label: string
  readonly milliseconds: number
}

/** Elements of all arrays and the result: what is not fused needs as much again, and a page has little. */
export const MOST_ELEMENTS = 2 ** 26

const countOf = (shape: Shape): number => shape.reduce((product, size) => product * size, 1)

type Fused = ReturnType<typeof fused>

function fused(expression: string, root: Expression, names: readonly string[]) {
  return fuse(
    (...operands: readonly never[]) =>
      new Composer({ expression, valueNamed: ({ name }) => operands[names.indexOf(name)]! }).compose(root, undefined),
    { operands: names.length },
  )
}

function opened({ expression, arrays }: EngineQuestion): {
  root: Expression
  names: string[]
  call: Fused
  shapes: Shape[]
} {
  const root = parseExpression(expression)
  const names = [...namesIn(root).keys()]
  const shapes = names.map((name) => arrays.find((array) => array.name === name)!.shape)
  return { root, names, shapes, call: fused(expression, root, names) }
}

export function inspected(question: EngineQuestion, threads: number): Inspection {
  const { call, shapes } = opened(question)
  const inputs = shapes.map((shape) => ({ dtype: 'float32' as const, shape }))
  return inspect(call as never, inputs, { threads })
}

/** Throws where it would take too much; says so in a sentence. */
export function checkSize({ arrays }: EngineQuestion, result: Shape): void {
  const all = arrays.reduce((sum, { shape }) => sum + countOf(shape), countOf(result))
  if (all <= MOST_ELEMENTS) return
  throw new RangeError(
    `The arrays and the result have ${all.toLocaleString('en')} elements, and this page measures up to ${MOST_ELEMENTS.toLocaleString('en')}. Smaller sizes tell the same.`,
  )
}

/** Times that are taken, after calls that warm up. */
const WARM = 4
const RUNS = 7
/** What takes longer is measured less often. */
const LONGEST_MS = 3000
/** Where a page is not isolated its clock ticks every tenth of a millisecond, so a time is that of many ticks. */
const SHORTEST_MS = 4

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Milliseconds of so many calls. After them the thread rests, so that what is no longer used is given back. */
async function taken(call: () => unknown, calls: number): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < calls; i++) {
    const made = await call()
    ;(made as Partial<Tensor>).dispose?.()
  }
  const time = performance.now() - start
  await new Promise((resolve) => setTimeout(resolve))
  return time
}

/** The median of several times, each of as many calls as the clock can tell. */
async function timed(label: string, call: () => unknown): Promise<Timed> {
  const end = performance.now() + LONGEST_MS
  await taken(call, WARM)
  let calls = 1
  let time = await taken(call, calls)
  while (time < SHORTEST_MS) {
    calls *= 2
    time = await taken(call, calls)
  }
  const times = [time]
  while (times.length < RUNS && performance.now() < end) times.push(await taken(call, calls))
  return { label, milliseconds: median(times) / calls }
}

/** Elements from 0.5 on: nothing is divided by zero, and no logarithm is of a negative number. */
function filled(count: number): Float32Array {
  const data = new Float32Array(count)
  for (let i = 0; i < count; i++) data[i] = 0.5 + ((i * 7) % 64) / 64
  return data
}

/** Measures one after the other, and tells each. */
export async function measured(question: EngineQuestion, threads: number, tell: (timed: Timed) => void): Promise<void> {
  const { root, names, call, shapes } = opened(question)
  checkSize(question, call.infer(...(shapes.map((shape) => ({ dtype: 'float32', shape })) as never[])).shape as Shape)
  const plain = new Map(names.map((name, i) => [name, { data: filled(countOf(shapes[i]!)), shape: shapes[i]! }]))
  const tensors = names.map((name, i) => tensor(plain.get(name)!.data, { shape: shapes[i]! } as never) as Tensor)
  const byName = new Map(names.map((name, i) => [name, tensors[i]!]))
  configure({ threads: 1 })
  tell(await timed('Fused, one thread', () => call(...(tensors as never[]))))
  if (threads > 1) {
    configure({ threads })
    tell(await timed(`Fused, ${threads} threads`, () => call.async(...(tensors as never[]))))
    configure({ threads: 1 })
  }
  tell(await timed('Not fused: a call for each operator', () => unfused(question.expression, root, byName)))
  if (hasPlainLoops(root))
    tell(await timed('Plain JavaScript: a loop for each operator', () => plainLoops(root, plain)))
}
