// The registry and the package managers themselves, aside from the packages of this repository: hundreds of packages
// that nothing else needs.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { succeed } from './run.ts'

const manifest = {
  private: true,
  dependencies: { '@yarnpkg/cli-dist': '4.18.1', bun: '1.4.4', pnpm: '10.34.9', verdaccio: '6.8.0' },
  // Verdaccio asks for it by a tag, which not every mirror has.
  overrides: { 'node-fetch': '2.7.0' },
  allowScripts: { bun: true },
}

/** The folder of their programs. */
export function installTools(root: string): string {
  const folder = path.join(root, 'node_modules/.cache/ecosystem-registry')
  const text = JSON.stringify(manifest, undefined, 2)
  const file = path.join(folder, 'package.json')
  // Written last, so that an install that was interrupted is seen.
  const stamp = path.join(folder, 'installed.json')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== text) {
    console.error('Installing a registry and package managers…')
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
    succeed('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder, process.env)
    writeFileSync(stamp, text)
  }
  return path.join(folder, 'node_modules/.bin')
}
