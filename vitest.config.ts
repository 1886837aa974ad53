import { defineConfig } from 'vitest/config'

export default defineConfig({
  ssr: { resolve: { conditions: ['bcast-source'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'tools/**/*.test.ts', 'testing/*.test.ts'],
    setupFiles: 'testing/setup.ts',
    reporters: ['default', './testing/figures.ts'],
    globalSetup: 'packages/cli/test/setup.ts',
    // Limits for what hangs: a busy machine takes several times as long as an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // One core is left free otherwise, which on two is half the machine.
    maxWorkers: '100%',
    typecheck: {
      enabled: true,
      include: ['packages/*/test/types/*.test-d.ts'],
      tsconfig: 'packages/bcast/test/types/tsconfig.json',
    },
  },
})
