// Seed after seed until one fails or the time is over; each is named before it runs, so that even a run that dies can
// be repeated.

export type Outcome = { readonly kind: 'passed' | 'given up' } | { readonly kind: 'failed'; readonly output: string }

export interface Repetition {
  readonly seeds: Iterable<number>
  /** Milliseconds for all of them together. */
  readonly limit: number
  readonly run: (seed: number, milliseconds: number) => Promise<Outcome>
  readonly say: (text: string) => void
}

export const repeatCommand = (seed: number): string => `npm run test:random -- --seed ${seed}`

/** The exit code: 1 when a seed fails. */
export async function repeat({ seeds, limit, run, say }: Repetition): Promise<0 | 1> {
  const began = performance.now()
  let passed = 0
  for (const seed of seeds) {
    const left = limit - (performance.now() - began)
    if (left <= 0) break
    say(`seed ${seed}`)
    const outcome = await run(seed, left)
    if (outcome.kind === 'failed') {
      say(outcome.output)
      say(`seed ${seed} fails; repeat it with: ${repeatCommand(seed)}`)
      return 1
    }
    if (outcome.kind === 'given up') {
      say(`seed ${seed} was not finished: the time is over`)
      break
    }
    passed++
  }
  say(`${passed} ${passed === 1 ? 'seed' : 'seeds'} passed`)
  return 0
}
