// How threads are told what to do, in words of the shared memory: a control block with the step that is under way, and a
// table of those that follow. Worker threads get the layout with their first message, so that it is written here alone.
import type { Task } from '../task.ts'

/** Words of the control block. */
export const CONTROL = {
  /** The low byte counts the parts that nobody has taken yet, the rest counts steps. */
  ticket: 0,
  /** Parts that have ended. */
  done: 1,
  fault: 2,
  crashed: 3,
  /** The step under way, in the order of a table's entry. */
  kernel: 4,
  bytesAt: 5,
  bytesLength: 6,
  parametersAt: 7,
  parametersSize: 8,
  /** Threads that may take parts; those with a higher number rest. */
  threads: 9,
  /** Pages of the memory, for threads that have not seen it grow. */
  pages: 10,
  /** Parts of the step; 0 where the calling thread takes parts too, and sees by itself when they have ended. */
  parts: 11,
  /** Steps that follow it, and where the next one is described. */
  stepsLeft: 12,
  nextStep: 13,
  /** Counts tables of steps that have ended. */
  ended: 14,
} as const

export const CONTROL_BYTES = 64
/** Words of a table's entry: those of the control block from the kernel to the size of parameters, and its parts. */
export const STEP_WORDS = 6

/** A task as a table has it; `bytesAt` is where the threads find its kernel. */
export const stepWords = (
  { id, bytes, parametersAt, parametersSize, parts }: Task,
  bytesAt: number,
): readonly number[] => [id, bytesAt, bytes.length, parametersAt, parametersSize, parts]

/** What follows the first step. */
export interface Following {
  readonly steps: number
  readonly at: number
}

/** Opens a step to the threads; gives the ticket that they take parts from. */
export function openStep(
  words: Int32Array,
  step: ArrayLike<number>,
  pages: number,
  following: Following | undefined,
): number {
  const parts = step[STEP_WORDS - 1]!
  words[CONTROL.fault] = 0
  words[CONTROL.crashed] = 0
  for (let i = 0; i < STEP_WORDS - 1; i++) words[CONTROL.kernel + i] = step[i]!
  words[CONTROL.pages] = pages
  words[CONTROL.parts] = following === undefined ? 0 : parts
  words[CONTROL.stepsLeft] = following?.steps ?? 0
  words[CONTROL.nextStep] = following?.at ?? 0
  Atomics.store(words, CONTROL.done, 0)
  const ticket = ((Atomics.load(words, CONTROL.ticket) & ~0xff) + 0x100) | parts
  Atomics.store(words, CONTROL.ticket, ticket)
  Atomics.notify(words, CONTROL.ticket)
  return ticket
}
