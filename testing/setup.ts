// Runs before every test file: gives properties the one seed, and counts what each test does for the last line of a run.
import fc from 'fast-check'
import { afterEach, beforeEach, expect } from 'vitest'
import { seed } from './seed.ts'

let cases = 0

fc.configureGlobal({
  seed,
  // A property that a time limit cuts short has fewer cases on a slow machine.
  markInterruptAsFailure: true,
  beforeEach: () => {
    cases++
  },
})

beforeEach(() => {
  cases = 0
})

afterEach(({ task }) => {
  task.meta.assertions = expect.getState().assertionCalls
  task.meta.cases = cases
})
