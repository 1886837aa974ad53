// Names of sizes may be long, and a table repeats them in every row: there they are short, with a legend above it.

export interface ShortName {
  readonly short: string
  readonly long: string
}

/** Names that are longer than a column has room for. */
const LONG = /[A-Za-z_][\w.]{12,}/g

/** A short form of every long name in texts, none of which is a name there already. */
export function shortNames(texts: readonly string[]): ShortName[] {
  const long = new Set(texts.flatMap((text) => text.match(LONG) ?? []))
  if (long.size === 0) return []
  const taken = new Set(texts.flatMap((text) => text.match(/\bs\d+\b/g) ?? []))
  let next = 0
  return [...long].map((name) => {
    while (taken.has(`s${next}`)) next++
    return { short: `s${next++}`, long: name }
  })
}

/** A text with the short forms. */
export function shortened(names: readonly ShortName[]): (text: string) => string {
  const forms = new Map(names.map(({ short, long }) => [long, short]))
  return (text) => text.replace(LONG, (name) => forms.get(name) ?? name)
}
