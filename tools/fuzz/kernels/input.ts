// The kernel with a given number, and what it is run with.
import { levels } from '../../../packages/native/src/levels.ts'
import { describeCase, type KernelCase, makeCase } from '../../../testing/kernels/kernel.ts'
import { makeRandom, type Random } from '../../../testing/random.ts'

export interface KernelInput {
  readonly random: Random
  readonly made: KernelCase
  /** What it is, in words. */
  readonly mutations: readonly string[]
}

const found = levels()

export function makeKernel(seed: number, index: number): KernelInput {
  const random = makeRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const made = makeCase(random, found)
  return {
    random,
    made,
    get mutations() {
      return [describeCase(made)]
    },
  }
}
