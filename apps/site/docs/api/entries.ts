// The entries of the packages, and how their names are grouped into pages: by the folders that the names come from.
import { join, relative } from 'node:path'
import { type ExportedName, entriesOf, exportedNames } from '../../../../tools/docs/exported-names.ts'
import { root } from '../repository.ts'

export interface ApiPage {
  readonly file: string
  readonly title: string
  /** What a program writes behind `from`. */
  readonly entry: string
  readonly names: readonly ExportedName[]
}

/** A group of names: its place in addresses, its title, and the files that its names come from. */
type Group = readonly [slug: string, title: string, from: RegExp]

const everything = (slug: string, title: string): readonly Group[] => [[slug, title, /./]]

const GROUPS: Readonly<Record<string, readonly Group[]>> = {
  bcast: [
    ['tensors', 'Tensors', /^(tensor|ops\/create|ops\/random)\//],
    ['operators', 'Operators', /^ops\/(operators|table|options)\.ts|^expr\//],
    ['shapes', 'Shapes and rules', /^shape\/|^ops\/broadcast/],
    ['reductions', 'Reductions and products', /^ops\/(arg-reduce|cum-sum|log-sum-exp|reduc|gemm|matmul|tensordot)/],
    ['moving', 'Views, moving, comparing', /^ops\/(views|move|windows|cast|close)/],
    ['fusing', 'Fusing and sequences', /^ops\/(fuse|sequence)|^plan\//],
    ['gradients', 'Gradients', /^grad\//],
    ['types', 'Element types and the engine', /^(dtype|backend)\//],
    ['errors', 'Errors', /^errors\//],
  ],
  'bcast/debug': everything('debug', 'bcast/debug'),
  'bcast/kernels': everything('kernels', 'bcast/kernels'),
  'bcast/methods': everything('methods', 'bcast/methods'),
  'bcast/npy': everything('npy', 'bcast/npy'),
  'bcast/real': everything('real', 'bcast/real'),
  '@bcast/onnx': [
    ['model', 'Models', /^(model|wire|structure)\//],
    ['check', 'Checking', /^check\//],
    ['infer', 'Inference and dimensions', /^(infer|dims)\//],
    ['explicit', 'Explicit broadcasts', /^explicit\//],
    ['run', 'Running', /^run\//],
    ['census', 'Census', /^census\//],
    ['errors', 'Errors', /^errors\//],
  ],
  '@bcast/onnx/node': everything('node', '@bcast/onnx/node'),
  '@bcast/spec': [
    ['rules', 'Rules', /^rules\//],
    ['operators', 'Operators and gradients', /^(ops|grad)\//],
    ['elements', 'Elements, tensors, functions', /./],
  ],
}

const PACKAGES = ['bcast', 'onnx', 'spec']

/** Entries whose names say what the schema of ONNX says. */
const GENERATED = ['@bcast/onnx/proto']

const entryName = (folder: string, entry: string): string =>
  (folder === 'bcast' ? 'bcast' : `@bcast/${folder}`) + entry.slice(1)

/** Every entry with its source. */
const entries: readonly (readonly [entry: string, file: string])[] = PACKAGES.flatMap((folder) =>
  [...entriesOf(join(root, 'packages', folder))]
    .map(([entry, file]) => [entryName(folder, entry), file] as const)
    .filter(([entry]) => !GENERATED.includes(entry)),
)

/** A page for each group of each entry; a name in no group is a mistake here. */
function pagesOf(entry: string, file: string): ApiPage[] {
  const groups = GROUPS[entry]
  if (groups === undefined) throw new Error(`${entry} has no pages in the reference`)
  const src = join(file, '..')
  const grouped = groups.map((): ExportedName[] => [])
  for (const name of exportedNames(file).values()) {
    const from = relative(src, name.file).replaceAll('\\', '/')
    const group = groups.findIndex(([, , pattern]) => pattern.test(from))
    if (group < 0) throw new Error(`${name.name} of ${entry} comes from ${from}, which is in no group of the reference`)
    grouped[group]!.push(name)
  }
  const slug = entry.split('/')[0] === 'bcast' ? 'bcast' : entry.split('/')[1]!
  return groups.map(([own, title], i) => ({
    file: `api-${slug}-${own}.html`,
    title,
    entry,
    names: grouped[i]!.sort((a, b) => a.name.localeCompare(b.name, 'en')),
  }))
}

export const apiPages: readonly ApiPage[] = entries.flatMap(([entry, file]) => pagesOf(entry, file))

/** Where names of an entry are explained, and those of bcast, which all others speak of. A name is its own anchor. */
export function linkFrom(entry: string): (name: string) => string | undefined {
  const known = new Map<string, string>()
  for (const page of apiPages) {
    if (page.entry !== entry && page.entry !== 'bcast') continue
    for (const { name } of page.names) {
      if (page.entry === entry || !known.has(name)) known.set(name, `${page.file}#${name}`)
    }
  }
  return (name) => known.get(name)
}
