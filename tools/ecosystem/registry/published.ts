// The packages as they would be after a release: built, and published to a registry on this machine.
import path from 'node:path'
import { published, root } from '../../release/packages.ts'
import { type Registry, startRegistry } from './registry.ts'
import { succeed } from './run.ts'
import { installAside } from './tools.ts'

/** The folder of the programs of package managers and the registry; what they bring besides is Bun. */
const tools = (): string =>
  installAside(root, 'registry', {
    dependencies: { '@yarnpkg/cli-dist': '4.18.1', bun: '1.4.4', pnpm: '10.34.9', verdaccio: '6.8.0' },
    // Verdaccio asks for it by a tag, which not every mirror has.
    overrides: { 'node-fetch': '2.7.0' },
    allowScripts: { bun: true },
  })

/** `place` is where everything is kept. */
export async function publishAll(place: string): Promise<Registry> {
  succeed('npm', ['run', '--silent', 'build'], root, process.env)
  const registry = await startRegistry(tools(), path.join(place, 'registry'))
  try {
    for (const { folder } of published) succeed('npm', ['publish'], path.join(root, folder), registry.env)
  } catch (error) {
    registry.close()
    throw error
  }
  return registry
}
