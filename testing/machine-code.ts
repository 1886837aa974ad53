// What this machine has of machine code, for tests that need some.
import { levels } from '../packages/native/src/levels.ts'

/** Undefined where there is some; else why not. */
export const noMachineCode: string | undefined = (() => {
  try {
    levels()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
})()
