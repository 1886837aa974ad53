/**
 * For the program `bcast`, which has a copy of the library in it. The build makes one file of this and all it needs,
 * because loading many takes longer than most commands compute.
 *
 * @module
 */
import type { provideKernels } from 'bcast/kernels'
import { install } from './install.ts'
import { reasonOf } from './reason.ts'

/** Hands machine code to whose `provideKernels` is given; gives what computes from now on. Throws, saying why, where there is none. */
export function installInto(provide: typeof provideKernels): string {
  try {
    return install(provide).engine
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error })
  }
}
