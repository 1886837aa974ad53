// What the commands of the page share: help, options that are refused where they are not known, and an exit status.
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>
type Given = ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>>

export interface CommandLine {
  readonly usage: string
  readonly options?: Options
  /** Whether words may follow. */
  readonly words?: boolean
  /** Gives the exit status; 0 where it gives none. */
  readonly run: (given: Given) => Promise<number | undefined>
}

/** A command that cannot be done as it was said. */
export class CallError extends Error {}

export async function command({ usage, options = {}, words = false, run }: CommandLine): Promise<void> {
  let given: Given
  try {
    given = parseArgs({ options: { ...options, help: { type: 'boolean' } }, allowPositionals: words })
  } catch (error) {
    return refuse((error as Error).message, usage)
  }
  if (given.values['help'] === true) {
    console.log(usage)
    process.exitCode = 0
    return
  }
  try {
    process.exitCode = (await run(given)) ?? 0
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    refuse(error.message, usage)
  }
}

function refuse(message: string, usage: string): void {
  console.error(`${message}\n\n${usage}`)
  process.exitCode = 2
}
