// Random expressions. Steps are tried as they are drawn: one that leaves the numbers that are comfortable to compare is
// mostly drawn again, so that long expressions still say something; some cases seek zeros, infinities and NaN instead.
import type { Tensor } from 'bcast'
import { makeRandom, type Random } from '../../../testing/random.ts'
import { elementCount, type TensorData } from '../case.ts'
import { toTensor } from '../ours.ts'
import { type FloatDType, randomTensor, tensorOf } from '../values.ts'
import type { ExpressionCase, Step } from './expression.ts'
import { evaluate, take } from './ours.ts'
import { operandShapes } from './shapes.ts'
import { FLOATS, type Known, Steps } from './steps.ts'

const MAX_ELEMENTS = 600
const COMFORTABLE = 1e4
const TYPES: readonly FloatDType[] = [
  'float64',
  'float64',
  'float64',
  'float64',
  'float32',
  'float32',
  ...FLOATS.slice(2),
]

type Character = 'plain' | 'coarse' | 'positive' | 'special'

/** Few different values tie; those that are special are infinite, unknown, zero, huge or tiny. */
function elements(random: Random, dtype: FloatDType, shape: readonly number[], character: Character): TensorData {
  if (character === 'special') return randomTensor(random, dtype, shape, { special: 0.25, small: true })
  const draw = {
    plain: () => random.unit() * 6 - 3,
    coarse: () => random.below(9) / 2 - 2,
    positive: () => 0.25 + random.unit() * 2,
  }[character]
  return tensorOf(dtype, shape, Array.from({ length: elementCount(shape) }, draw))
}

const isComfortable = (tensor: Tensor): boolean =>
  tensor.dtype === 'bool' || [tensor.toArray()].flat(20).every((x) => Math.abs(Number(x)) <= COMFORTABLE)

/** Steps that the last one is made of, and the operands, by their new places. */
function living(count: number, steps: readonly Step[]): Step[] {
  const read = new Set<number>([count + steps.length - 1])
  for (let i = steps.length - 1; i >= 0; i--) {
    if (!read.has(count + i)) continue
    for (const arg of steps[i]!.args) if (typeof arg === 'number') read.add(arg)
  }
  const places = new Map<number, number>(Array.from({ length: count }, (_, i) => [i, i]))
  const kept: Step[] = []
  steps.forEach((step, i) => {
    if (!read.has(count + i)) return
    const args = step.args.map((arg) => (typeof arg === 'number' ? places.get(arg)! : arg))
    places.set(count + i, count + kept.length)
    kept.push({ ...step, args } as Step)
  })
  return kept
}

type Draft = Omit<ExpressionCase, 'id'>

function draw(random: Random): Draft | undefined {
  const dtype = random.pick(TYPES)
  const isSpecial = random.chance(0.15)
  const inputs = operandShapes(random).map((shape) => {
    const own = random.chance(0.04) ? random.pick(FLOATS) : dtype
    const character: Character = isSpecial ? 'special' : random.pick(['plain', 'plain', 'positive', 'coarse'])
    return elements(random, own, shape, character)
  })
  const values: Known[] = inputs.map((input, place) => ({ place, tensor: toTensor(input), used: 0 }))
  const steps: Step[] = []
  const length = 3 + random.below(10)
  for (let tries = 0; steps.length < length && tries < 10 * length; tries++) {
    const drawn = new Steps(random, values).draw()
    if (drawn === undefined) continue
    const made: Tensor[] = []
    for (const step of drawn) made.push(take(step, [...values.map(({ tensor }) => tensor), ...made]) as Tensor)
    if (made.some(({ size }) => size > MAX_ELEMENTS)) continue
    if (!made.every(isComfortable) && random.chance(isSpecial ? 0.3 : 0.97)) continue
    for (const step of drawn)
      for (const arg of step.args) if (typeof arg === 'number' && values[arg]) values[arg].used++
    for (const tensor of made) values.push({ place: values.length, tensor, used: 0 })
    if (drawn.length > 1) values.at(-2)!.used++
    steps.push(...drawn)
  }
  const kept = living(inputs.length, steps)
  if (kept.length < 3) return undefined
  const empty = { inputs, steps: kept, delta: inputs[0]!, documented: [] }
  const value = evaluate({ ...empty, id: 0 })
  const delta = elements(random, value.dtype as FloatDType, value.shape, isSpecial ? 'special' : 'plain')
  return { ...empty, delta }
}

/** `count` random expressions. */
export function expressionCases(count: number, seed: number): ExpressionCase[] {
  const random = makeRandom(seed)
  const cases: ExpressionCase[] = []
  while (cases.length < count) {
    const draft = draw(random)
    if (draft !== undefined) cases.push({ ...draft, id: cases.length })
  }
  return cases
}
