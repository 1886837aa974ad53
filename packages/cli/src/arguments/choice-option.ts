// Options whose value is one of a few words: help lists them, completion offers them, a misspelt one gets a suggestion.
import { Option } from 'commander'
import { suggestion } from '../errors/nearest.ts'
import { UsageError } from '../errors/usage-error.ts'

export function choiceOption(flags: string, description: string, choices: readonly string[]): Option {
  const option = new Option(flags, description).choices(choices)
  return option.argParser((given: string) => {
    if (choices.includes(given)) return given
    throw new UsageError(`${option.long} is ${JSON.stringify(given)}. ${suggestion(given, choices)}`)
  })
}
