// The tests in a browser: one file after the other, because each opens one.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: from('../../../'),
  ssr: { resolve: { conditions: ['bcast-source', 'node'] } },
  test: {
    include: ['apps/site/e2e/**/*.test.ts'],
    // Part of `npm test`.
    exclude: ['**/smoke.test.ts'],
    setupFiles: from('../../../testing/setup.ts'),
    reporters: ['default', from('../../../testing/figures.ts')],
    // Limits for what hangs: a busy machine takes several times as long as an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: false,
  },
})
