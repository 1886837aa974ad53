// Tasks for the threads that machine code brings: threads of the system, which wake sooner than those of JavaScript.
import type { Program } from '../../../expr/ir.ts'
import { SHARE } from '../../../plan/kernels.ts'
import type { Task } from '../task.ts'
import type { MachineCode } from './code.ts'
import { TASK, TASK_BYTES, writeWide } from './parameters.ts'

/** Milliseconds, as they are told wherever there is machine code. */
const clock = (globalThis as unknown as { readonly performance: { now(): number } }).performance

/** Has the threads of machine code run a task; undefined where there are none. */
export function shareTask(
  code: MachineCode,
  buffer: ArrayBufferLike,
  {
    address,
    parametersAt,
    parametersSize,
    parts,
  }: Pick<Task, 'parametersAt' | 'parametersSize' | 'parts'> & { readonly address: number },
  at: number,
  wanted: number,
): number | undefined {
  const threads = code.threads(wanted)
  if (threads === 1) return undefined
  const words = new Int32Array(buffer, at, TASK_BYTES / 4)
  const tell = (entry: keyof typeof TASK, value: number): void => writeWide(words, TASK[entry] / 4, value)
  tell('kernel', address)
  tell('parametersAt', parametersAt)
  tell('parametersSize', parametersSize)
  tell('parts', parts)
  tell('threads', threads)
  const fault = code.share(buffer, at)
  shared = clock.now()
  return fault
}

/** Milliseconds for which threads look for the next task before they sleep, or rather less. */
const AWAKE = 0.04
/** How much smaller work may be to be shared with threads that are awake, which take no more than looking at it. */
const BRIEF = 4
/** One of so many brief calls wakes threads: where many follow each other, the next ones find them awake. */
const WAKING = 32

/** When threads had work last, and how many brief calls came when they slept. */
let shared = Number.NEGATIVE_INFINITY
let brief = 0

/** Whether so much work, in elements of WebAssembly's, is worth sharing at the moment. */
export function isWorthSharing(work: number): boolean {
  if (work > SHARE) return true
  if (work * BRIEF <= SHARE) return false
  return clock.now() - shared < AWAKE || ++brief % WAKING === 0
}

/**
 * Elements of WebAssembly's that are as much work: threads are worth waking for some time, not for some elements. A sum,
 * which waits for memory, and an exponential of 28 instructions were measured.
 */
export const workOf = ({ code, inputs }: Program, elements: number): number =>
  (elements * (12 + code.length - inputs.length)) / 40
