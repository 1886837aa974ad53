// The pages of the documentation in the order of reading. Their texts stay where readers of the repository find them;
// here they get an address, a name in the sidebar and a neighbour on either side.

export interface Page {
  /** The Markdown, from the root of the repository. */
  readonly source: string
  /** The page that is made of it. */
  readonly file: string
  /** In the sidebar and in results of the search. */
  readonly title: string
  /** The text is long rows of references: only its headings are searched. */
  readonly headingsOnly?: boolean
}

export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

const page = (name: string, title: string, more: Partial<Page> = {}): Page => ({
  source: `docs/${name}.md`,
  file: `${name}.html`,
  title,
  ...more,
})

const readme = (name: string, title: string): Page => ({
  source: `packages/${name}/README.md`,
  file: `package-${name}.html`,
  title,
})

export const sections: readonly Section[] = [
  {
    title: 'Begin',
    pages: [
      page('guide', 'Guide: ten minutes', { file: 'index.html' }),
      page('rules', 'The rules'),
      page('coming-from', 'Coming from NumPy, PyTorch, TensorFlow.js'),
    ],
  },
  {
    title: 'The library',
    pages: [
      page('element-types', 'Element types and exactness'),
      page('engines', 'Engines and memory'),
      page('native', 'Machine code'),
      page('errors', 'Errors and their codes'),
      page('bundlers', 'Bundlers and runtimes'),
      page('interop', 'Beside other libraries'),
      readme('bcast', 'The package bcast'),
    ],
  },
  {
    title: 'Gradients',
    pages: [
      page('training', 'Training with broadcasting'),
      page('backwards', 'Broadcasting backwards'),
      page('gradients', 'Gradients of operators'),
    ],
  },
  {
    title: 'ONNX models',
    pages: [
      page('onnx', 'Checking a model'),
      page('findings', 'Findings'),
      page('census', 'What models broadcast'),
      readme('onnx', 'The package @bcast/onnx'),
    ],
  },
  {
    title: 'On the command line',
    pages: [
      page('files', 'Eval and files'),
      page('zarr', 'Zarr'),
      page('workers', 'Workers'),
      readme('cli', 'Every command'),
    ],
  },
  {
    title: 'Evidence',
    pages: [
      page('disagreements', 'Disagreements between engines'),
      page('bench', 'Benchmark'),
      page('bench-files', 'Benchmark of files'),
      page('bench-queue', 'Benchmark of the queue'),
      readme('spec', 'The specification'),
      page('traceability', 'Traceability', { headingsOnly: true }),
      page('architecture', 'Architecture'),
      { source: 'CHANGELOG.md', file: 'changelog.html', title: 'Changes' },
    ],
  },
]
