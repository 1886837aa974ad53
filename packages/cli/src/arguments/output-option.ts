// -o of commands with one result: given twice, one of the two places would stay empty without a word.
import { Option } from 'commander'
import { UsageError } from '../errors/usage-error.ts'

export const outputOption = (description: string): Option =>
  new Option('-o, --output <file>', description).argParser((file: string, before: string | undefined) => {
    if (before === undefined) return file
    throw new UsageError(
      `-o names ${JSON.stringify(before)} and ${JSON.stringify(file)}; the result goes to one place.`,
    )
  })
