// A user's own profile, from a file or written in place: a built-in one with changes. Everything is checked, so that a
// slip of the pen does not switch a check off.
import { ProfileError } from '../errors/index.ts'
import { findingSeverities, type Severity } from './codes.ts'
import { type OperatorRule, type Profile, type ProfileName, profiles } from './profile.ts'

/** What a file may hold; all of it may be left out but the name. */
export interface ProfileFile {
  readonly name: string
  /** The profile that it changes; `onnx` unless said. */
  readonly extends?: ProfileName
  readonly broadcasting?: Profile['broadcasting']
  readonly clause?: string
  readonly operators?: Readonly<Record<string, Omit<OperatorRule, 'clause'> & { readonly clause?: string }>>
  readonly severities?: Profile['severities']
  readonly maxRank?: number | null
}

const keys = ['name', 'extends', 'broadcasting', 'clause', 'operators', 'severities', 'maxRank'] as const
const ruleKeys = ['broadcasting', 'clause', 'specified'] as const
const severities: readonly Severity[] = ['error', 'warning', 'note', 'off']

/** How many letters are to be added, left out or changed to get from one word to another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}

/** `; did you mean "severities"?`, or what there is to choose from. */
function meant(word: string, choices: readonly string[]): string {
  const [nearest] = choices.toSorted((a, b) => distance(word, a) - distance(word, b))
  if (nearest !== undefined && distance(word, nearest) <= Math.max(2, Math.floor(nearest.length / 3))) {
    return `did you mean ${JSON.stringify(nearest)}?`
  }
  return `it is one of ${choices.join(', ')}.`
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
  throw new ProfileError(path, `an object is expected, not ${JSON.stringify(value)}.`)
}

function checkKeys(fields: Fields, allowed: readonly string[], path: string): void {
  for (const key of Object.keys(fields)) {
    if (allowed.includes(key)) continue
    throw new ProfileError(path, `there is no key ${JSON.stringify(key)}; ${meant(key, allowed)}`)
  }
}

function choice<T extends string>(value: unknown, choices: readonly T[], path: string): T {
  if (choices.includes(value as T)) return value as T
  const hint = typeof value === 'string' ? meant(value, choices) : `it is one of ${choices.join(', ')}.`
  throw new ProfileError(path, `${JSON.stringify(value)} is not known; ${hint}`)
}

function textOf(value: unknown, path: string): string {
  if (typeof value === 'string' && value !== '') return value
  if (value === undefined) throw new ProfileError(path, 'there is none; a text is expected.')
  throw new ProfileError(path, `a text is expected, not ${JSON.stringify(value)}.`)
}

function ruleOf(value: unknown, path: string, clause: string): OperatorRule {
  const fields = fieldsOf(value, path)
  checkKeys(fields, ruleKeys, path)
  const { specified } = fields
  if (specified !== undefined && typeof specified !== 'boolean') {
    throw new ProfileError(`${path}.specified`, `true or false is expected, not ${JSON.stringify(specified)}.`)
  }
  return {
    broadcasting: choice(fields['broadcasting'], ['allowed', 'forbidden'], `${path}.broadcasting`),
    clause: fields['clause'] === undefined ? clause : textOf(fields['clause'], `${path}.clause`),
    ...(specified === undefined ? {} : { specified }),
  }
}

function rankOf(value: unknown): number | null {
  if (value === null || (Number.isSafeInteger(value) && (value as number) >= 0)) return value as number | null
  throw new ProfileError('maxRank', `a number of axes or null is expected, not ${JSON.stringify(value)}.`)
}

function severitiesOf(value: unknown): Profile['severities'] {
  const given = Object.entries(fieldsOf(value, 'severities'))
  checkKeys(Object.fromEntries(given), Object.keys(findingSeverities), 'severities')
  return Object.fromEntries(given.map(([id, severity]) => [id, choice(severity, severities, `severities.${id}`)]))
}

/** A profile from what a JSON file holds; a ProfileError says what is wrong with it, and where. */
export function readProfile(value: unknown): Profile {
  const fields = fieldsOf(value, '')
  checkKeys(fields, keys, '')
  const { extends: parent, broadcasting, clause, operators, severities: own, maxRank } = fields
  const name = textOf(fields['name'], 'name')
  const base = profiles[choice(parent ?? 'onnx', Object.keys(profiles) as ProfileName[], 'extends')]
  const rules = Object.entries(operators === undefined ? {} : fieldsOf(operators, 'operators')).map(
    ([operator, rule]) => [operator, ruleOf(rule, `operators.${operator}`, `profile ${name}, ${operator}`)] as const,
  )
  return {
    name,
    broadcasting:
      broadcasting === undefined
        ? base.broadcasting
        : choice(broadcasting, ['allowed', 'forbidden'] as const, 'broadcasting'),
    clause:
      clause === undefined ? (broadcasting === undefined ? base.clause : `profile ${name}`) : textOf(clause, 'clause'),
    operators: { ...base.operators, ...Object.fromEntries(rules) },
    severities: { ...base.severities, ...(own === undefined ? {} : severitiesOf(own)) },
    maxRank: maxRank === undefined ? base.maxRank : rankOf(maxRank),
  }
}

/** A built-in profile by its name. */
export const profileNamed = (name: string): Profile =>
  profiles[choice(name, Object.keys(profiles) as ProfileName[], '')]
