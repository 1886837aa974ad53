// What is wrong with the files of a package as it would be published: its manifest says what a registry shows, the
// licence goes with it, and every source map finds its source.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** What a registry shows of a package. */
const SHOWN = ['description', 'keywords', 'homepage', 'bugs', 'repository', 'license', 'engines', 'publishConfig']

/** The most bytes that a package may take to fetch; they grow on purpose or not at all. */
const MOST_BYTES = { bcast: 1_200_000, '@bcast/onnx': 900_000, '@bcast/spec': 120_000 }

/** What `npm pack` would put into the package in a folder. */
export function packed(folder) {
  const { stdout, status } = spawnSync('npm', ['pack', '--dry-run', '--json', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm pack failed in ${folder}`)
  const [{ size, unpackedSize, files }] = JSON.parse(stdout)
  return { size, unpackedSize, files: files.map((file) => file.path) }
}

const isTest = (file) => /(^|\/)test(s|ing)?\//.test(file) || file.endsWith('.tsbuildinfo')

/** Sources that a map names and the package does not hold. */
function lost(folder, map, files) {
  const { sources, sourcesContent } = JSON.parse(readFileSync(path.join(folder, map), 'utf8'))
  const places = sources.map((source) => path.posix.join(path.posix.dirname(map), source))
  return places.filter((place, i) => typeof sourcesContent?.[i] !== 'string' && !files.has(place))
}

/** `folder` is that of a package, `manifest` what its package.json says. */
export function faultsOf(folder, manifest, { size, files: names }) {
  const files = new Set(names)
  const faults = SHOWN.filter((key) => manifest[key] === undefined).map((key) => `package.json has no ${key}`)
  for (const file of [
    'LICENSE',
    'README.md',
    ...Object.values(manifest.bin ?? {}).map((each) => path.posix.normalize(each)),
  ]) {
    if (!files.has(file)) faults.push(`${file} is not in it`)
  }
  if (manifest.repository?.directory !== `packages/${path.basename(folder)}`)
    faults.push('repository.directory is not its folder')
  if (manifest.name === 'bcast' && manifest.dependencies !== undefined) faults.push('bcast has dependencies')
  if (!(size <= MOST_BYTES[manifest.name]))
    faults.push(`it takes ${size} bytes, more than ${MOST_BYTES[manifest.name]}`)
  faults.push(...names.filter(isTest).map((file) => `${file} is in it`))
  for (const compiled of names.filter((file) => file.startsWith('dist/') && /\.(js|ts)$/.test(file))) {
    // The worker is plain JavaScript and is copied as it is.
    if (!files.has(`${compiled}.map`) && !files.has(compiled.replace(/^dist/, 'src')))
      faults.push(`${compiled} has no map`)
  }
  for (const map of names.filter((file) => file.endsWith('.map'))) {
    faults.push(...lost(folder, map, files).map((source) => `${map} names ${source}, which is not in it`))
  }
  return faults
}
