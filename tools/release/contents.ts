// What is wrong with the files of a package as it would be published: its manifest says what a registry shows, the
// licence goes with it, and every source map finds its source.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Manifest, root } from './packages.ts'

/** What a registry shows of a package. */
const SHOWN = ['description', 'keywords', 'homepage', 'bugs', 'repository', 'license', 'engines', 'publishConfig']

/** The most bytes that a package may take to fetch; they grow on purpose or not at all. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  // Of it the codecs of Zarr take 480 kB, the page that `bcast playground` serves 430 kB, and the queue of workers 300 kB.
  bcast: 2_900_000,
  '@bcast/native': 420_000,
  '@bcast/onnx': 900_000,
  '@bcast/spec': 130_000,
}

export interface Contents {
  readonly size: number
  readonly unpackedSize: number
  readonly files: readonly string[]
}

/** What `npm pack` puts into the package in a folder; the tarball goes to `destination`, if there is one. */
export function pack(folder: string, destination?: string): Contents {
  const to = destination === undefined ? ['--dry-run'] : ['--pack-destination', destination]
  const { stdout, stderr, status } = spawnSync('npm', ['pack', '--json', '--loglevel=error', ...to], {
    cwd: path.join(root, folder),
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm pack failed in ${folder}\n${stderr}`)
  const [{ size, unpackedSize, files }] = JSON.parse(stdout)
  return { size, unpackedSize, files: files.map((file: { path: string }) => file.path) }
}

const isTest = (file: string): boolean => /(^|\/)test(s|ing)?\//.test(file) || file.endsWith('.tsbuildinfo')

/** Sources that a map names and the package does not hold. */
function lost(folder: string, map: string, files: ReadonlySet<string>): string[] {
  const { sources, sourcesContent } = JSON.parse(readFileSync(path.join(root, folder, map), 'utf8'))
  const places: string[] = sources.map((source: string) => path.posix.join(path.posix.dirname(map), source))
  return places.filter((place, i) => typeof sourcesContent?.[i] !== 'string' && !files.has(place))
}

export function faultsOf(folder: string, manifest: Manifest, { size, files: names }: Contents): string[] {
  const files = new Set(names)
  const most = MOST_BYTES[manifest.name] ?? 0
  const faults = SHOWN.filter((key) => !Object.hasOwn(manifest, key)).map((key) => `package.json has no ${key}`)
  const programs = Object.values(manifest.bin ?? {}).map((file) => path.posix.normalize(file))
  for (const file of ['LICENSE', 'README.md', ...programs]) if (!files.has(file)) faults.push(`${file} is not in it`)
  if (manifest.repository?.directory !== folder) faults.push(`repository.directory is not ${folder}`)
  if (manifest.name === 'bcast' && manifest.dependencies !== undefined) faults.push('bcast has dependencies')
  if (size > most) faults.push(`it takes ${size} bytes, more than ${most}`)
  faults.push(...names.filter(isTest).map((file) => `${file} is in it`))
  for (const compiled of names.filter((file) => file.startsWith('dist/') && /\.(js|ts)$/.test(file))) {
    // The worker is a script that the build makes, not the compiler.
    const isMade = /\/bcast-worker\.(js|d\.ts)$/.test(compiled)
    if (!files.has(`${compiled}.map`) && !isMade) faults.push(`${compiled} has no map`)
  }
  for (const map of names.filter((file) => file.endsWith('.map')))
    faults.push(...lost(folder, map, files).map((source) => `${map} names ${source}, which is not in it`))
  return faults
}
