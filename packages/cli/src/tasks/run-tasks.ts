// All tasks of a plan that are not done yet, in this process. They begin in the order of their numbers, so that the
// failure with the lowest number is found whatever the threads.
import type { TaskPlan } from './plan.ts'
import type { TaskDone } from './task.ts'
import { TaskError, type TaskThreads } from './threads.ts'

/** Whoever carries out a task. */
type TaskRunner = Pick<TaskThreads, 'run'>

/** Has every task carried out that is not done yet. Rejects with a TaskError, or with what keeps all of them back. */
export type CarryOut = (
  plan: TaskPlan,
  isDone: (index: number) => boolean,
  tell: (done: TaskDone) => void,
) => Promise<void>

/** `atOnce`: tasks that are under way together. Rejects with the failure of the lowest number. */
export const inThisProcess =
  (runner: TaskRunner, atOnce: number): CarryOut =>
  async (plan, isDone, tell) => {
    let next = 0
    const failures: TaskError[] = []
    const lane = async (): Promise<void> => {
      while (failures.length === 0 && next < plan.count) {
        const index = next++
        if (isDone(index)) continue
        try {
          tell(await runner.run(plan, index))
        } catch (error) {
          if (!(error instanceof TaskError)) throw error
          failures.push(error)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(atOnce, plan.count) }, lane))
    const [lowest] = failures.toSorted((a, b) => a.index - b.index)
    if (lowest !== undefined) throw lowest
  }
