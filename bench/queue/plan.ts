// Plans of nothing, as large as those of an evaluation of three arrays.
import { randomUUID } from 'node:crypto'
import type { TaskPlan } from '../../packages/cli/src/tasks/plan.ts'
import { VERSION } from './settings.ts'

/** Characters of a plan that is sent with every job. */
const SIZE = 2000

export const planOf = (count: number): TaskPlan =>
  ({
    ...{ version: VERSION, hash: randomUUID(), expression: '(x - m) / s' },
    ...{ output: { place: { label: 'y'.repeat(SIZE) } }, count, memory: 0, held: 0 },
  }) as TaskPlan
