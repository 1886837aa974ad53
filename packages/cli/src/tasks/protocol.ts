// What a thread that carries out tasks is told, and what it says.

import type { TaskPlan } from './plan.ts'
import type { TaskDone } from './task.ts'
import type { TaskFailure } from './task-error.ts'

export interface ThreadData {
  /** Bytes that the thread may take for arrays. */
  readonly memory: number
  readonly machineCode: boolean
}

export type ToThread =
  | { readonly kind: 'plan'; readonly plan: TaskPlan }
  | { readonly kind: 'forget'; readonly hash: string }
  | { readonly kind: 'run'; readonly id: number; readonly hash: string; readonly index: number }

export type FromThread =
  | { readonly kind: 'done'; readonly id: number; readonly done: TaskDone }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: TaskFailure }
