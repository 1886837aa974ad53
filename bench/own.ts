// bcast takes part twice: as it is, and with machine code. Neither is a peer of the other.

/** What each is called, by the id of its contender. */
export const TITLES = { bcast: 'bcast', native: 'bcast + native' } as const

export type Own = keyof typeof TITLES

export const OWN: readonly Own[] = ['bcast', 'native']

export const isOwn = (id: string): id is Own => id in TITLES
