// How the repository's own commands are called: help goes to stdout and ends with 0; a bad call is said on stderr, with
// the help, and ends with 2.
import { type ParseArgsConfig, parseArgs } from 'node:util'

type OptionsOf = NonNullable<ParseArgsConfig['options']>

/** What a command was called with; `usage` is its help. */
interface Call<O extends OptionsOf> {
  readonly values: ReturnType<typeof parseArgs<{ options: O }>>['values']
  readonly words: readonly string[]
  /** An end for a call that means nothing. */
  refuse(message: string): never
  /** The whole number that an option says. */
  whole(option: string, text: string, least?: number): number
}

/** Words are what is no option; most commands take none. */
export function commandLine<const O extends OptionsOf>(usage: string, options: O, takesWords = false): Call<O> {
  const refuse = (message: string): never => {
    console.error(`${message}\n\n${usage}`)
    process.exit(2)
  }
  const given = (): { values: Record<string, unknown>; positionals: string[] } => {
    try {
      return parseArgs({
        options: { ...options, help: { type: 'boolean', short: 'h' } } as OptionsOf,
        allowPositionals: takesWords,
      })
    } catch (error) {
      return refuse((error as Error).message)
    }
  }
  const { values, positionals: words } = given()
  if (values['help'] === true) {
    console.log(usage)
    process.exit(0)
  }
  return {
    values: values as Call<O>['values'],
    words,
    refuse,
    whole: (option, text, least = 0) => {
      const value = Number(text)
      if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least) return value
      return refuse(`--${option} is "${text}", not a whole number from ${least} on`)
    },
  }
}
