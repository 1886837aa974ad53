// Imports point downward only. The layers of packages/bcast from the bottom up; each may import itself and those
// before it.
const layers = ['errors', 'shape', 'dtype', 'tensor', 'expr', 'plan', 'backend', 'grad', 'ops']
const inBcast = (names) => `^packages/bcast/src/(${names.join('|')})/`

// Of packages/onnx likewise.
const onnxLayers = [
  'proto',
  'errors',
  'wire',
  'model',
  'structure',
  'dims',
  'infer',
  'check',
  'census',
  'explicit',
  'run',
]
const inOnnx = (names) => `^packages/onnx/src/(${names.join('|')})/`

const upward = layers.slice(0, -1).map((layer, i) => ({
  name: `${layer} imports nothing above it`,
  severity: 'error',
  from: { path: inBcast([layer]) },
  to: { path: [inBcast(layers.slice(i + 1)), '^packages/bcast/src/[^/]+\\.ts$'] },
}))

const onnxUpward = onnxLayers.slice(0, -1).map((layer, i) => ({
  name: `onnx: ${layer} imports nothing above it`,
  severity: 'error',
  from: { path: inOnnx([layer]) },
  to: { path: [inOnnx(onnxLayers.slice(i + 1)), '^packages/onnx/src/[^/]+\\.ts$'] },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...upward,
    ...onnxUpward,
    {
      name: 'ops imports no entry point',
      severity: 'error',
      from: { path: inBcast(['ops']) },
      to: { path: '^packages/bcast/src/[^/]+\\.ts$' },
    },
    {
      name: 'the library depends on nothing',
      severity: 'error',
      from: { path: '^packages/bcast/src/', pathNot: '^packages/bcast/src/real\\.ts$' },
      to: { pathNot: '^packages/bcast/src/' },
    },
    {
      name: 'the specification depends on nothing',
      severity: 'error',
      from: { path: '^packages/spec/src/' },
      to: { pathNot: '^packages/spec/src/' },
    },
    {
      name: 'cli imports the packages by their public names',
      severity: 'error',
      from: { path: '^packages/cli/' },
      to: { path: '^packages/(spec|bcast/(?!src/index\\.ts)|onnx/(?!src/(index|node|proto/onnx_pb)\\.ts))' },
    },
    {
      name: 'onnx imports the library by its public name and the protobuf runtime',
      severity: 'error',
      from: { path: '^packages/onnx/src/', pathNot: '^packages/onnx/src/node\\.ts$' },
      to: { pathNot: '^(packages/onnx/src/|packages/bcast/src/index\\.ts$|node_modules/@bufbuild/protobuf/)' },
    },
    {
      name: 'onnx for Node adds what Node has',
      severity: 'error',
      from: { path: '^packages/onnx/src/node\\.ts$' },
      to: { pathNot: '^packages/onnx/src/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'no cycles between files',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'every import resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { conditionNames: ['bcast-source', 'import', 'types'], exportsFields: ['exports'] },
  },
}
