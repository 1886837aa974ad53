// -o of commands with one result: given twice, one of the two places would stay empty without a word.
import { Option } from 'commander'
import { UsageError } from '../errors/usage-error.ts'

/** What -o names, which is something. */
export function checkOutput(file: string): string {
  if (file !== '') return file
  throw new UsageError('-o is ""; it is a file, or - for stdout.')
}

export const outputOption = (description: string): Option =>
  new Option('-o, --output <file>', description).argParser((file: string, before: string | undefined) => {
    if (before === undefined) return checkOutput(file)
    throw new UsageError(
      `-o names ${JSON.stringify(before)} and ${JSON.stringify(file)}; the result goes to one place.`,
    )
  })
