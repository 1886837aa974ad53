// Threads are started from a text that the build makes of worker.ts; it must be the worker as it is now, and a script
// that any bundler and any page can take: no module's syntax, no waiting before it is asked to serve.
import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { expect, it } from 'vitest'
import { workerTextModule } from '../../../build.ts'
import { workerText } from '../../../src/backend/webassembly/threads/worker-text.ts'

it('is what the build makes of the worker; npm run build writes it', () => {
  const file = new URL('../../../src/backend/webassembly/threads/worker-text.ts', import.meta.url)
  expect(readFileSync(file, 'utf8')).toBe(workerTextModule())
})

it('is a script', () => {
  expect(() => new Script(workerText)).not.toThrow()
})
