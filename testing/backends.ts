// Every backend that computes here, from the list itself: whoever is added to it is tested with all the others.
import { configure } from 'bcast'
import { afterAll, beforeAll, describe } from 'vitest'
import { backends } from '../packages/bcast/src/backend/backends.ts'

export interface TestedBackend {
  readonly name: string
  /** From here on it is asked first. */
  readonly use: (threads?: number) => void
}

// The last of the list takes everything, so that whoever comes before it is asked first where the choice is free.
const names = backends().map(({ name }) => name)

export const everyBackend: readonly TestedBackend[] = names.map((name) => ({
  name,
  use: (threads = 1) => configure({ backend: name === 'interpreter' ? 'interpreter' : 'auto', threads }),
}))

/** The choice is free again. */
export const anyBackend = (): void => configure({ backend: 'auto' })

/** The same tests on every backend. */
export function onEveryBackend(tests: () => void): void {
  describe.each(everyBackend)('on $name', ({ use }) => {
    beforeAll(() => use())
    afterAll(anyBackend)
    tests()
  })
}
