// How threads are told what to do, in words of the shared memory: a control block with the step that is under way, and a
// table of those that follow.
import type { WasmMemory } from '../../platform.ts'
import type { Task } from '../task.ts'
import * as CONTROL from './control.ts'

/** What a thread is told when it starts. */
export interface FirstMessage {
  readonly memory: WasmMemory
  /** Where the control block lies. */
  readonly control: number
  readonly number: number
}

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
  const parts = step[CONTROL.STEP_WORDS - 1]!
  words[CONTROL.fault] = 0
  words[CONTROL.crashed] = 0
  for (let i = 0; i < CONTROL.STEP_WORDS - 1; i++) words[CONTROL.kernel + i] = step[i]!
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
