// The list of cases that are known to be wrong, each with its reason.

import { readFileSync } from 'node:fs'
import { BadCallError } from './outcome.ts'

const FILE = new URL('./expected-failures.json', import.meta.url)

export function readExpectedFailures(text: string = readFileSync(FILE, 'utf8')): Map<string, string> {
  const listed: unknown = JSON.parse(text)
  if (typeof listed !== 'object' || listed === null || Array.isArray(listed)) {
    throw new BadCallError('expected-failures.json is not an object of reasons by id')
  }
  return new Map(
    Object.entries(listed).map(([id, reason]: [string, unknown]) => {
      if (typeof reason !== 'string' || reason === '') {
        throw new BadCallError(`expected-failures.json gives no reason for ${id}`)
      }
      return [id, reason]
    }),
  )
}
