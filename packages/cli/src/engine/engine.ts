// Who computes: machine code where @bcast/native is installed beside the program, WebAssembly otherwise. The package is
// loaded when something is about to be computed, and given this program's own copy of the library. It is looked for from
// where the program lies and nowhere else: what somebody's folder of arrays has in it is never run.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { provideKernels } from 'bcast/kernels'
import { UsageError } from '../errors/usage-error.ts'
import { version } from '../terminal/version.ts'
import { visible } from '../terminal/visible.ts'

export const ENGINES = ['machine-code', 'webassembly'] as const
export type EngineChoice = (typeof ENGINES)[number]

/** What the package has for programs. */
interface Native {
  installInto(provide: typeof provideKernels): string
}

const NAME = '@bcast/native'
/** What computes where there is no machine code. */
export const WEBASSEMBLY = 'WebAssembly'

/** Why there is no machine code. */
interface Refused {
  readonly cause: string
  /** Whether somebody who installed the package would wonder. */
  readonly isUnexpected: boolean
}

/** What computes, or why it is not machine code. */
async function machineCode(): Promise<string | Refused> {
  const near = createRequire(import.meta.url)
  let found: string
  try {
    found = near.resolve(`${NAME}/package.json`)
  } catch {
    return { cause: `${NAME} is not installed where bcast is`, isUnexpected: false }
  }
  try {
    const [given, wanted] = [(near(found) as { readonly version: string }).version, version()]
    if (given !== wanted) {
      return { cause: `${NAME} is ${given} and bcast is ${wanted}; install ${NAME}@${wanted}`, isUnexpected: true }
    }
    const native = (await import(pathToFileURL(near.resolve(`${NAME}/program`)).href)) as Native
    return native.installInto(provideKernels)
  } catch (error) {
    return { cause: `${NAME} makes no machine code: ${(error as Error).message}`, isUnexpected: true }
  }
}

/**
 * Gives what computes from now on. Where the package is there and has no machine code, that is said in a line on stderr;
 * it is an error where machine code was asked for.
 */
export async function startEngine(choice?: EngineChoice): Promise<string> {
  provideKernels(undefined)
  if (choice === 'webassembly') return WEBASSEMBLY
  const made = await machineCode()
  if (typeof made === 'string') return made
  if (choice === 'machine-code') throw new UsageError(`--engine is "machine-code", and there is none: ${made.cause}.`)
  if (made.isUnexpected) {
    process.stderr.write(visible(`bcast: WebAssembly computes: the same results, slower. Cause: ${made.cause}.\n`))
  }
  return WEBASSEMBLY
}

/** The same in a thread of a process that has said what there is to say. */
export async function startEngineInThread(): Promise<void> {
  await machineCode()
}
