// The state as an address and back. It stands behind the #, so that no server sees it. Whatever an address says that
// the page does not know is left out, and said.
import { type RuleOptions, ruleNames } from '@bcast/cli/shapes'
import { steps } from '../picture/panel.ts'
import { initial, type State, viewIds } from './state.ts'

/** Longer texts do not go into an address: browsers and chats cut it. */
export const MOST_TEXT = 6000
/** What no page of this kind wrote. */
const MOST_ADDRESS = 30_000
const MOST_ENTRIES = 500
/** More characters than a search has. */
export const MOST_SEARCHED = 200

type Read<T> = (text: string) => T | undefined

const oneOf =
  <T extends string>(all: readonly T[]): Read<T> =>
  (text) =>
    all.find((each) => each === text)

const integer: Read<number> = (text) => (/^-?\d{1,9}$/.test(text) ? Number(text) : undefined)
const natural: Read<number> = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined)
const naturals: Read<readonly number[]> = (text) => {
  if (text === '') return []
  const all = text.split(',').map(natural)
  return all.length <= 64 && all.every((each) => each !== undefined) ? (all as number[]) : undefined
}
const flag: Read<true> = (text) => (text === '1' ? true : undefined)
const dashed: Read<string> = (text) => (/^[a-z-]{1,40}$/.test(text) ? text : undefined)
const word: Read<string> = (text) => (/^\w{1,40}$/.test(text) ? text : undefined)

/** `N:3;?0.1:4`: names and what they have. */
const entries =
  <T>(key: RegExp, read: Read<T>): Read<Readonly<Record<string, T>>> =>
  (text) => {
    const parts = text === '' ? [] : text.split(';')
    if (parts.length > MOST_ENTRIES) return undefined
    const all: (readonly [string, T])[] = []
    for (const part of parts) {
      const at = part.indexOf('=')
      const [name, value] = [part.slice(0, at), read(part.slice(at + 1))]
      if (at < 0 || !key.test(name) || value === undefined) return undefined
      all.push([name, value])
    }
    return Object.fromEntries(all)
  }

const SIZE_KEY = /^([A-Za-z_]\w{0,60}|\?\d\.\d{1,2})$/
const VALUE_KEY = /^\d:[\d,]*$/

const ruleReaders: { readonly [K in keyof RuleOptions]-?: Read<NonNullable<RuleOptions[K]>> } = {
  rule: oneOf(ruleNames),
  axis: integer,
  axes: naturals,
  newAxes: naturals,
  strict: flag,
  untrimmed: flag,
  innerOnes: oneOf(['stretch', 'error']),
  broadcast: oneOf(['0', '1']),
}

const stateReaders: { readonly [K in Exclude<keyof State, 'rule'>]: Read<NonNullable<State[K]>> } = {
  text: (text) => text,
  view: oneOf(viewIds),
  onto: natural,
  fix: natural,
  sizes: entries(SIZE_KEY, natural),
  step: oneOf(steps),
  cell: naturals,
  finding: natural,
  operator: word,
  dtype: word,
  values: entries(VALUE_KEY, (text) => (text.length <= 60 ? text : undefined)),
  node: natural,
  find: (text) => (text.length <= MOST_SEARCHED ? text : undefined),
  verdict: dashed,
  about: dashed,
  profile: dashed,
}

export interface Parsed {
  readonly state: State
  /** What the address said and the page does not know. */
  readonly problems: readonly string[]
}

/** At most so much of it is repeated to the reader. */
const shown = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

/** The state that an address holds. */
export function fromUrl(hash: string): Parsed {
  const given = hash.replace(/^#/, '')
  if (given === '') return { state: initial, problems: [] }
  if (given.length > MOST_ADDRESS) {
    return { state: initial, problems: [`The address is ${given.length} characters long, so it was not read.`] }
  }
  const state: Record<string, unknown> = { ...initial }
  const rule: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [key, text] of new URLSearchParams(given)) {
    const isState = Object.hasOwn(stateReaders, key)
    const isRule = Object.hasOwn(ruleReaders, key)
    const read = isState
      ? stateReaders[key as keyof typeof stateReaders]
      : isRule
        ? ruleReaders[key as keyof RuleOptions]
        : undefined
    const value = (read as Read<unknown> | undefined)?.(text)
    if (read === undefined) problems.push(`The address says ${shown(key)}, which this page does not know.`)
    else if (value === undefined) problems.push(`The address says ${key}=${shown(text)}, which is no ${key}.`)
    else if (isState) state[key] = value
    else rule[key] = value
  }
  return { state: { ...state, rule } as unknown as State, problems }
}

const entriesText = (all: Readonly<Record<string, string | number>>): string =>
  Object.entries(all)
    .map((entry) => entry.join('='))
    .join(';')

const isEntries = (value: unknown): value is Readonly<Record<string, string | number>> =>
  typeof value === 'object' && !Array.isArray(value)

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The address of a state; `text` stands for one that is too long. */
export function toUrl(state: State, text: string = state.text): string {
  const { rule, ...rest } = { ...state, text }
  const said = new URLSearchParams()
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined || isSame(value, initial[key as keyof State])) continue
    said.set(key, isEntries(value) ? entriesText(value) : String(value))
  }
  for (const [key, value] of Object.entries(rule)) {
    if (value !== undefined) said.set(key, value === true ? '1' : String(value))
  }
  const query = said.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%3F', '?')
  return query === '' ? '#' : `#${query}`
}
