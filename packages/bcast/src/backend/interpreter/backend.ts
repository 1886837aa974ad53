// The backend that computes in plain TypeScript, in ordinary arrays: takes every program, everywhere.

import { chunks } from '../../plan/chunks.ts'
import { elementCount } from '../../shape/dim.ts'
import { rowMajorStrides } from '../../tensor/layout.ts'
import type { Backend, Job, Outcome } from '../backend.ts'
import { nextTurn } from '../platform.ts'
import { execute } from './execute.ts'

/** Elements that are computed before other things get their turn. */
const PAUSE = 1 << 18

const outcome = (fault: number): Outcome => (fault < 0 ? 'done' : fault)

export const interpreter: Backend = {
  name: 'interpreter',
  takes: () => true,
  // Ordinary arrays do.
  allocate: () => undefined,
  read: (storage) => storage,
  plan: ({ program, instructions, shape }) => ({
    plan: undefined,
    run: (operands) => outcome(execute(program, instructions, shape, operands)),
  }),
  runAsync: async ({ program, instructions, shape, operands }: Job, check) => {
    const strides = [...operands.map((operand) => operand.strides), rowMajorStrides(shape)]
    const parts = chunks(
      shape,
      strides,
      (part) => elementCount(part) <= PAUSE,
      (part) => part.findIndex((size) => size > 1),
    )
    let pause = false
    for (const { shape: part, shifts } of parts) {
      if (pause) await new Promise<void>(nextTurn)
      pause = true
      check()
      const moved = operands.map((operand, i) => ({ ...operand, offset: operand.offset + shifts[i]! }))
      const fault = execute(program, instructions, part, moved)
      if (fault >= 0) return shifts.at(-1)! + fault
    }
    return 'done'
  },
}
