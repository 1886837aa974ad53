// The version of the program, as `bcast --version` says it and as workers compare it.
import { existsSync, readFileSync } from 'node:fs'

/** One folder up from the built program, two from this file. */
const manifests = ['../package.json', '../../package.json'].map((file) => new URL(file, import.meta.url))

export function version(): string {
  const manifest = manifests.find((file) => existsSync(file))!
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
