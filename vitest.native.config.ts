import { defineConfig } from 'vitest/config'
import { levels } from './packages/native/src/levels.ts'

/**
 * The tests of values, with machine code for whatever has some, however small: `npm run test:native`. For each kind of
 * code that the processor has.
 */
export default defineConfig({
  ssr: { resolve: { conditions: ['bcast-source', 'node'] } },
  test: {
    setupFiles: ['testing/setup.ts', 'testing/native.ts'],
    reporters: ['default', './testing/figures.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'large',
          env: { BCAST_NATIVE: levels().at(-1)! },
          include: ['packages/native/test/large/*.test.ts'],
        },
      },
      ...levels().flatMap((level) => [
        {
          extends: true,
          test: {
            name: level,
            env: { BCAST_NATIVE: level },
            include: ['packages/bcast/test/{ops,grad}/**/*.test.ts', 'tools/parity/*.test.ts'],
            isolate: false,
          },
        },
        {
          extends: true,
          test: {
            name: `${level}, apart`,
            env: { BCAST_NATIVE: level },
            include: [
              'packages/bcast/test/backend/{agreement,backends,contract,programs,soak}.test.ts',
              'packages/bcast/test/tensor/buffers.test.ts',
            ],
          },
        },
      ]),
    ],
  },
})
