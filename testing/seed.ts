// The one seed of every random generator in the tests, so that two runs execute the same cases. BCAST_SEED asks for
// another; `npm run test:random` does, again and again.

const DEFAULT_SEED = 20_260_901

function chosen(text: string | undefined): number {
  if (text === undefined) return DEFAULT_SEED
  const seed = Number(text)
  if (text.trim() === '' || !Number.isInteger(seed) || seed !== (seed | 0))
    throw new Error(`BCAST_SEED is "${text}", not an integer of 32 bits`)
  return seed
}

export const seed = chosen(process.env['BCAST_SEED'])

/** The seed of one generator among many: generators of different streams have nothing in common. */
export function seedOf(stream: number): number {
  let mixed = Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}

export const isDefaultSeed: boolean = seed === DEFAULT_SEED

/** What random cases must have covered: a fact about the default seed, and luck under any other. */
export function onDefaultSeed(claims: () => void): void {
  if (isDefaultSeed) claims()
}
