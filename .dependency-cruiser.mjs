// Imports point downward only. The layers of each package from the bottom up; each may import itself and those before it.
const packages = {
  bcast: ['errors', 'shape', 'dtype', 'tensor', 'expr', 'plan', 'backend', 'ops', 'grad', 'npy', 'debug'],
  onnx: ['proto', 'errors', 'wire', 'model', 'structure', 'dims', 'infer', 'check', 'census', 'explicit', 'run'],
  native: ['machine', 'x86', 'arm64', 'ffi'],
  cli: [
    'terminal',
    'errors',
    'engine',
    'files',
    'zarr',
    'arguments',
    'explain',
    'messages',
    'reports',
    'expression',
    'stream',
    'tasks',
    'workers',
    'diff',
    'bench',
    'playground',
    'help',
    'commands',
  ],
}

const filesIn = (name, layers) => `^packages/${name}/src/(${layers.join('|')})/`
const entryPoints = (name) => `^packages/${name}/src/[^/]+\\.ts$`

/** From what the user wrote to an array: stands above every format, also above those that are layers of their own. */
const opening = '^packages/cli/src/files/open[^/]*$'

const upward = Object.entries(packages).flatMap(([name, layers]) =>
  layers.map((layer, i) => ({
    name: `${name}: ${layer} imports nothing above it`,
    severity: 'error',
    from: { path: filesIn(name, [layer]), ...(layer === 'files' ? { pathNot: opening } : {}) },
    to: { path: [...layers.slice(i + 1).map((above) => filesIn(name, [above])), entryPoints(name)] },
  })),
)

// A folder that is in no list would be in no layer.
const unlisted = Object.entries(packages).map(([name, layers]) => ({
  name: `${name}: every folder is a layer`,
  severity: 'error',
  from: {},
  to: { path: `^packages/${name}/src/[^/]+/`, pathNot: filesIn(name, layers) },
}))

// Inside the command line's files: bytes below what is made of them, formats beside each other, opening above all.
const formats = ['json', 'pb', 'raw']
const inFiles = (...folders) => folders.map((folder) => `^packages/cli/src/files/${folder}/`)
const files = [
  {
    name: 'cli/zarr: arrays are opened by those above',
    severity: 'error',
    from: { path: '^packages/cli/src/zarr/' },
    to: { path: opening },
  },
  {
    name: 'cli/files: of the layers above them, opening knows Zarr alone',
    severity: 'error',
    from: { path: opening },
    to: { path: '^packages/cli/src/', pathNot: filesIn('cli', ['terminal', 'errors', 'files', 'zarr']) },
  },
  {
    name: 'cli/files: bytes and writing know no format, and not who reads blocks',
    severity: 'error',
    from: { path: inFiles('bytes', 'writing') },
    to: { path: [...inFiles('blocks', 'model', ...formats), opening] },
  },
  {
    name: 'cli/files: blocks are read from every format alike',
    severity: 'error',
    from: { path: inFiles('blocks') },
    to: { path: [...inFiles('model', ...formats), opening] },
  },
  ...formats.map((format) => ({
    name: `cli/files: ${format} imports no other format`,
    severity: 'error',
    from: { path: inFiles(format) },
    to: { path: [...inFiles('model', ...formats.filter((other) => other !== format)), opening] },
  })),
]

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...upward,
    ...unlisted,
    ...files,
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
      name: 'sources import neither tests nor tools',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '^(packages/[^/]+/test|testing|tools|bench)/' },
    },
    {
      name: 'what packages and tools share for their tests is in testing',
      severity: 'error',
      from: { path: '^(tools|testing|bench)/' },
      to: { path: '^packages/[^/]+/test/' },
    },
    {
      name: 'a package imports no tests of another, and no tools',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { path: '^(packages/[^/]+/test|tools)/', pathNot: '^packages/$1/test/' },
    },
    {
      name: 'nothing imports the page',
      severity: 'error',
      from: { pathNot: '^(apps|tools)/' },
      to: { path: '^apps/' },
    },
    {
      name: 'the page imports packages by their public names, and of its own tests nothing',
      severity: 'error',
      from: { path: '^apps/site/src/' },
      to: {
        path: '^(packages|testing|tools|bench)/|^apps/site/(test|e2e|commands)/',
        pathNot:
          '^packages/(bcast/src/(index|npy|real|debug)|cli/src/(expression|messages|reports|shapes)|onnx/src/index)\\.ts$',
      },
    },
    {
      name: 'pictures are drawn without a page',
      severity: 'error',
      from: { path: '^apps/site/src/picture/' },
      to: { pathNot: '^(apps/site/src/picture|packages/bcast/src/index\\.ts)' },
    },
    {
      name: 'testing imports no tools',
      severity: 'error',
      from: { path: '^testing/' },
      to: { path: '^(tools|bench)/' },
    },
    {
      name: 'cli imports the packages by their public names',
      severity: 'error',
      from: { path: '^packages/cli/src/' },
      to: {
        path: '^packages/(spec|bcast/(?!src/(index|npy|kernels)\\.ts)|onnx/(?!src/(index|node|proto/onnx_pb)\\.ts))',
      },
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
    { name: 'every import resolves', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { conditionNames: ['bcast-source', 'import', 'types'], exportsFields: ['exports'] },
  },
}
