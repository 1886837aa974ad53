// Did you mean: the choice that is nearest to a misspelt word.

/** How many letters are to be added, left out, changed or swapped with the next to get from one word to another. */
function distance(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : changed
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, changed, swapped))
    }
    ;[before, row] = [row, next]
  }
  return row[b.length]!
}

/** The choice that a word was probably meant to be; undefined when none is near. */
export function nearest(word: string, choices: readonly string[]): string | undefined {
  const given = word.toLowerCase()
  const ranked = choices
    .map((choice) => ({ choice, far: distance(given, choice.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far)
  const best = ranked[0]
  if (best === undefined) return undefined
  const { choice, far } = best
  return far < choice.length && far <= Math.max(1, Math.floor(choice.length * 0.4)) ? choice : undefined
}

/** `Did you mean numpy?`, or what there is to choose from. */
export function suggestion(word: string, choices: readonly string[]): string {
  const meant = nearest(word, choices)
  return meant === undefined ? `It is one of ${choices.join(', ')}.` : `Did you mean ${meant}?`
}
