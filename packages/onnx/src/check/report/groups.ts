// What a text for people leaves out: of entries that say the same the first is told, and of long lists the beginning.
// Whoever wants the rest asks for all of it.

export type Group<T> = readonly [T, ...T[]]

/** Entries of one key together, in the order of the first of each. */
export function grouped<T>(entries: Iterable<T>, keyOf: (entry: T) => string): readonly Group<T>[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const entry of entries) {
    const key = keyOf(entry)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [entry])
    else group.push(entry)
  }
  return [...groups.values()]
}

export const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** How the rest is had. */
export const LISTS_THEM = '--all lists them'

/** More rows of a list than this are counted. */
const MOST_ROWS = 20

/** A list as far as it is told. */
export interface Listed<T> {
  readonly shown: readonly Group<T>[]
  /** Groups and entries that are not. */
  readonly rest: { readonly groups: number; readonly entries: number }
  /** Whether entries of a group may differ in what the first tells of itself. */
  readonly isRough: boolean
}

export interface Listing<T> {
  /** Whether every entry is told by itself. */
  readonly all: boolean
  /** Entries of one key say the same. */
  readonly keyOf: (entry: T) => string
  /** Entries of one rough key say much the same; it counts where the others are too many for a list. */
  readonly roughKeyOf?: (entry: T) => string
}

export function listed<T>(entries: readonly T[], { all, keyOf, roughKeyOf = keyOf }: Listing<T>): Listed<T> {
  const exact = all ? entries.map((entry): Group<T> => [entry]) : grouped(entries, keyOf)
  if (all || exact.length <= MOST_ROWS) return { shown: exact, rest: { groups: 0, entries: 0 }, isRough: false }
  const groups = grouped(entries, roughKeyOf)
  const left = groups.slice(MOST_ROWS)
  return {
    shown: groups.slice(0, MOST_ROWS),
    rest: { groups: left.length, entries: left.reduce((sum, { length }) => sum + length, 0) },
    isRough: groups.length < exact.length,
  }
}

/** Where others of a group are: the first few, and how many more. */
const MOST_PLACES = 3

export function placesText(places: readonly string[]): string {
  const named = places.slice(0, MOST_PLACES).join(', ')
  return places.length <= MOST_PLACES ? named : `${named} and ${places.length - MOST_PLACES} more`
}
