// Programs that a part of these tests needs and nothing else does, hundreds of packages some of them: they are installed
// aside.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { succeed } from './run.ts'

interface Wanted {
  readonly dependencies: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, string>>
  /** Whose install scripts run. */
  readonly allowScripts?: Readonly<Record<string, boolean>>
}

/** The folder of the programs. */
export function installAside(root: string, name: string, wanted: Wanted): string {
  const folder = path.join(root, `node_modules/.cache/ecosystem-${name}`)
  const text = JSON.stringify({ private: true, ...wanted }, undefined, 2)
  const file = path.join(folder, 'package.json')
  // Written last, so that an install that was interrupted is seen.
  const stamp = path.join(folder, 'installed.json')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== text) {
    console.error(`Installing ${Object.keys(wanted.dependencies).join(', ')}…`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(file, text)
    succeed('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder, process.env)
    writeFileSync(stamp, text)
  }
  return path.join(folder, 'node_modules/.bin')
}
