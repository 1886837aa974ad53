// The input with a given number: the same bytes for the same seed, on every machine that has the same files.
import { ModelProtoSchema } from '@bcast/onnx/proto'
import { makeRandom, type Random } from '../../../testing/random.ts'
import { parse, print } from './fields.ts'
import { byteMutations, multiply, treeMutations } from './mutations.ts'
import { everything, type Seeds } from './seeds.ts'

export interface Input {
  readonly bytes: Uint8Array
  readonly mutations: readonly string[]
}

/** One input in so many starts from a large file: they take milliseconds each. */
const LARGE_ONE_IN = 200
/** One input in so many gets a field many times, up to a mebibyte of it. */
const MULTIPLY_ONE_IN = 50

function seedFile(random: Random, { small, large }: Seeds): Uint8Array {
  if (large.length > 0 && random.below(LARGE_ONE_IN) === 0) return random.pick(large)
  return random.chance(0.5) ? (small[0] ?? everything()) : random.pick(small)
}

export function makeInput(seed: number, index: number, seeds: Seeds): Input {
  const random = makeRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  let bytes = seedFile(random, seeds)
  const mutations: string[] = []
  const trees = random.below(4)
  if (trees > 0) {
    const root = parse(bytes, ModelProtoSchema)
    for (let i = 0; i < trees; i++) {
      const name = random.pick(Object.keys(treeMutations))
      treeMutations[name]!(random, root)
      mutations.push(name)
    }
    if (random.below(MULTIPLY_ONE_IN) === 0) {
      multiply(random, root, 2 ** (8 + random.below(13)))
      mutations.push('multiply')
    }
    bytes = print(root)
  }
  if (bytes.length > 0 && (trees === 0 || random.chance(0.2))) {
    const name = random.pick(Object.keys(byteMutations))
    bytes = byteMutations[name]!(random, bytes)
    mutations.push(name)
  }
  return { bytes, mutations }
}
