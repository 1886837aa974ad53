// `bcast eval … -o y.zarr`: has the tasks of a plan carried out, and shows the result when it is whole.
import { FileError } from '../errors/file-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { keyOf, metadataOf, objectShape } from '../zarr/output.ts'
import { isBucket } from '../zarr/place.ts'
import { gridIndex, gridOf } from './grid.ts'
import type { TaskPlan } from './plan.ts'
import { publicationOf } from './publish.ts'
import type { CarryOut } from './run-tasks.ts'
import type { TaskDone } from './task.ts'
import { TaskError } from './threads.ts'

/** What to do where chunks are done that need not be computed again. */
export const RESUME = 'The chunks that are done are kept: --resume goes on from there.'

export interface ChunkProgress {
  /** Tasks that were done before. */
  begin(done: number): void
  done(task: TaskDone): void
}

/** Which tasks are done already: those whose object is there. */
function doneBefore({ output }: TaskPlan, keys: ReadonlySet<string>): (index: number) => boolean {
  const { array } = output
  const grid = gridOf(array.shape, objectShape(array))
  return (index) => keys.size > 0 && keys.has(keyOf(array, gridIndex(grid, index)))
}

/** An array in a bucket is gone before the first chunk of its successor is there. */
function checkNotRead({ output, operands }: TaskPlan): void {
  const { place } = output
  if (!isBucket(place.store)) return
  const itself = operands.find((operand) => operand.place === place.label)
  if (itself !== undefined) {
    throw new FileError(
      place.label,
      `it is read as ${itself.name}, and would be gone before it is.`,
      'Name another place.',
    )
  }
}

/** Rejects as the task of the lowest number that failed; where another try may go well, what is done is kept. */
export async function evaluateInChunks(
  plan: TaskPlan,
  carryOut: CarryOut,
  resume: boolean,
  progress: ChunkProgress,
): Promise<void> {
  checkNotRead(plan)
  const { output, hash } = plan
  const publication = publicationOf(output.place, hash)
  const keys = await publication.begin(resume)
  try {
    progress.begin(keys.size)
    await carryOut(plan, doneBefore(plan, keys), (done) => progress.done(done))
    await publication.finish(metadataOf(output.array))
  } catch (error) {
    if (!(error instanceof TaskError)) throw error
    if (error.failure.isTemporary) throw new UsageError(`${error.message} ${RESUME}`, { cause: error })
    await publication.abort()
    throw error.cause
  }
}
