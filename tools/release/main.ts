// `npm run release`: everything of a release but the publishing. Runs what must hold, packs, and prints what would be
// published and the commands that would do it.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { commandLine } from '../command-line/command-line.ts'
import { faultsOf, pack } from './contents.ts'
import { published, root } from './packages.ts'
import { version, versionFaults } from './versions.ts'

const { values } = commandLine(
  `usage: npm run release -- [--preview] [--tag NAME]

Runs what must hold before a release, packs every package into the folder release, and prints what would be published
and how. Publishes nothing.

  --preview   packs and prints only, from any tree
  --tag NAME  the tag that is released, which must be that of the version
  --help      prints this`,
  { preview: { type: 'boolean', default: false }, tag: { type: 'string' } },
)

/** What must hold, as people run it. */
const CHECKS = ['test', 'check', 'packaging', 'test:ecosystem']

function end(faults: readonly string[]): void {
  if (faults.length === 0) return
  for (const fault of faults) console.error(`release: ${fault}`)
  process.exit(1)
}

const git = (...args: readonly string[]): string =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()

const npm = (...args: readonly string[]): boolean =>
  spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }).status === 0

const TAG = `v${version}`
end(versionFaults())
if (values.tag !== undefined && values.tag !== TAG) end([`the tag is ${values.tag} and the version ${version}`])
if (!values.preview) {
  end(git('status', '--porcelain') === '' ? [] : ['there are changes that are not committed'])
  end(values.tag !== undefined || git('tag', '--list', TAG) === '' ? [] : [`${TAG} is released already`])
  for (const check of CHECKS) end(npm('run', check) ? [] : [`npm run ${check} failed`])
}
end(npm('run', '--silent', 'build') ? [] : ['npm run build failed'])

const destination = path.join(root, 'release')
rmSync(destination, { recursive: true, force: true })
mkdirSync(destination)
const packages = published.map((each) => ({ ...each, contents: pack(each.folder, destination) }))
end(
  packages.flatMap(({ folder, manifest, contents }) =>
    faultsOf(folder, manifest, contents).map((fault) => `${manifest.name}: ${fault}`),
  ),
)

const tarball = (name: string): string => `release/${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`
const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000)} kB`
console.log(`\nVersion ${version} at ${git('rev-parse', '--short', 'HEAD')} would publish:\n`)
for (const { manifest, contents } of packages) {
  const { files, size, unpackedSize } = contents
  console.log(`  ${manifest.name}  ${files.length} files, ${kilobytes(size)}, ${kilobytes(unpackedSize)} unpacked`)
}
console.log(`
A tag publishes from the workflow, with provenance:

  git tag ${TAG} && git push origin ${TAG}

By hand:

${packages.map(({ manifest }) => `  npm publish ./${tarball(manifest.name)} --access public`).join('\n')}
  (cd packages/bcast && npx jsr publish)`)
