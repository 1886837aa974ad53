import { defineConfig } from 'vitest/config'

/** Tests that leave nothing behind: files share what they import, which takes much of their time otherwise. */
const together = [
  'apps/*/test/**/*.test.ts',
  'packages/{onnx,spec}/test/**/*.test.ts',
  'packages/bcast/test/{debug,documents,expr,grad,plan,shape}/**/*.test.ts',
  'packages/bcast/test/backend/webassembly/{assembler,gemm-kernels,kernel,kernels}.test.ts',
  'packages/bcast/test/dtype/{element,half-floats,info,real}.test.ts',
  'packages/bcast/test/ops/{create,move,random}/**/*.test.ts',
  'packages/bcast/test/ops/{clip,close,errors,fuse,infer,moves,onnx-types,operands,out,overlap,reductions,special-values,table,tensordot,*against-spec}.test.ts',
  'packages/bcast/test/tensor/{create,disposed,equality,indexing,json,options,print,read-only,refused-values,tensor,views}.test.ts',
  'packages/cli/test/{arguments,expression,files,messages,stream,terminal,zarr}/**/*.test.ts',
  'tools/{bench,command-line,judges,operators,trace}/**/*.test.ts',
  'tools/conformance/{case,fits,judge,run}.test.ts',
  'tools/docs/{architecture,coming-from,doc-comments,pictures}.test.ts',
]

export default defineConfig({
  ssr: { resolve: { conditions: ['bcast-source', 'node'] } },
  test: {
    setupFiles: 'testing/setup.ts',
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
          include: [
            ...['packages/*/test/**/*.test.ts', 'tools/**/*.test.ts', 'testing/**/*.test.ts'],
            'apps/site/e2e/smoke.test.ts',
          ],
          exclude: together,
          globalSetup: 'packages/cli/test/support/setup.ts',
          typecheck: {
            enabled: true,
            include: ['packages/*/test/types/*.test-d.ts'],
            tsconfig: 'packages/bcast/test/types/tsconfig.json',
          },
        },
      },
      { extends: true, test: { name: 'together', include: together, isolate: false } },
    ],
  },
})
