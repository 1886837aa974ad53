// What a release would stumble over is seen before: versions, order of publishing, what files of a package lack.
import { expect, it } from 'vitest'
import { faultsOf } from './contents.ts'
import { published } from './packages.ts'
import { versionFaults } from './versions.ts'

it('has one version', () => {
  expect(versionFaults()).toEqual([])
})

it('publishes a package behind those it depends on', () => {
  const names = published.map(({ manifest }) => manifest.name)
  expect([...names].sort()).toEqual(['@bcast/native', '@bcast/onnx', '@bcast/spec', 'bcast'])
  expect(names.indexOf('bcast')).toBeLessThan(names.indexOf('@bcast/onnx'))
})

it('sees what is missing in a package', () => {
  const { folder, manifest } = published.find(({ manifest: { name } }) => name === 'bcast')!
  const files = ['README.md', 'dist/index.js', 'test/index.test.ts']
  const contents = { size: 3_000_000, unpackedSize: 0, files }
  const { repository: _, ...anonymous } = { ...manifest, dependencies: {} }
  expect(faultsOf(folder, anonymous, contents)).toEqual([
    'package.json has no repository',
    'LICENSE is not in it',
    'program/main.js is not in it',
    'repository.directory is not packages/bcast',
    'bcast has dependencies',
    expect.stringMatching(/^it takes 3000000 bytes, more than \d+$/),
    'test/index.test.ts is in it',
    'dist/index.js has no map',
  ])
})
