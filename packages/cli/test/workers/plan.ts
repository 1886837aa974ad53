// Plans of tests, whose tasks are what the test makes of them.
import type { TaskPlan } from '../../src/tasks/plan.ts'

let plans = 0

export const planOf = (fields: Partial<TaskPlan> = {}): TaskPlan =>
  ({
    ...{ version: '1.2.3', hash: `plan${plans++}`, expression: 'x + 1', output: { place: { label: 'y.zarr' } } },
    ...{ count: 1, memory: 500, held: 0 },
    ...fields,
  }) as TaskPlan
