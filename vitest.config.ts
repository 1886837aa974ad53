import { defineConfig } from 'vitest/config'

/**
 * Tests that look at what a process holds: memory, threads, plans, what it has loaded. Each of their files has a process
 * to itself; the others share what they import, which takes much of their time otherwise.
 */
const apart = [
  'apps/site/e2e/smoke.test.ts',
  'packages/bcast/test/{backend,browser}/**/!(agreement|assembler|choices|gemm-kernels|interpreter|kernel|kernels|programs|worker-text).test.ts',
  'packages/bcast/test/dtype/real-not-loaded.test.ts',
  'packages/bcast/test/ops/{async,disposed,held,huge,kept-call,methods,passes,recent-calls,sequence}.test.ts',
  'packages/bcast/test/tensor/buffers.test.ts',
  'packages/cli/test/commands/{eval,eval-zarr,models,overwriting,worker,zarr}.test.ts',
  'packages/cli/test/{help/examples,main,readme,startup}.test.ts',
  'packages/cli/test/tasks/**/*.test.ts',
  'packages/cli/test/zarr/inside.test.ts',
]

export default defineConfig({
  ssr: { resolve: { conditions: ['bcast-source', 'node'] } },
  test: {
    setupFiles: 'testing/setup.ts',
    globalSetup: 'packages/cli/test/support/setup.ts',
    reporters: ['default', './testing/figures.ts'],
    // Limits for what hangs: a busy machine takes several times as long as an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    // One core is left free otherwise, which on two is half the machine.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'apart',
          include: apart,
          typecheck: {
            enabled: true,
            include: ['packages/*/test/types/*.test-d.ts'],
            tsconfig: 'packages/bcast/test/types/tsconfig.json',
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['{apps,packages}/*/test/**/*.test.ts', '{testing,tools}/**/*.test.ts'],
          exclude: [...apart, 'packages/native/test/large/**'],
          isolate: false,
        },
      },
    ],
  },
})
