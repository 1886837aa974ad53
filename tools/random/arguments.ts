// The arguments of `npm run test:random`, checked before anything runs.
import { parseArgs } from 'node:util'

export const USAGE = `usage: npm run test:random -- [--minutes M] [--seed S]

Runs the property tests with fresh seeds until the time is over, and stops at the first seed that fails.

  --minutes M  how long (10); a run that is under way then is given up
  --seed S     runs once with this seed, which a failure named
  --help       prints this`

export type Wanted =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly seed: number | undefined; readonly minutes: number }
  | { readonly kind: 'wrong'; readonly message: string }

const DEFAULT_MINUTES = 10
const OPTIONS = { minutes: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } } as const

const wrong = (message: string): Wanted => ({ kind: 'wrong', message })
const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

export function readArguments(args: readonly string[]): Wanted {
  let given: { minutes?: string; seed?: string; help?: boolean }
  try {
    given = parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    return wrong((error as Error).message)
  }
  const { minutes, seed, help = false } = given
  if (help) return { kind: 'help' }
  if (seed !== undefined && (!isNumber(seed) || Number(seed) !== (Number(seed) | 0)))
    return wrong(`--seed is "${seed}", not an integer of 32 bits`)
  if (minutes !== undefined && !(isNumber(minutes) && Number(minutes) > 0))
    return wrong(`--minutes is "${minutes}", not a number above 0`)
  const unlimited = seed === undefined ? DEFAULT_MINUTES : Number.POSITIVE_INFINITY
  return {
    kind: 'run',
    seed: seed === undefined ? undefined : Number(seed),
    minutes: minutes === undefined ? unlimited : Number(minutes),
  }
}
