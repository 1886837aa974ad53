// The packages that are published, each behind those it depends on.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../..', import.meta.url))

/** Where an export lies under each condition. */
type Conditions = Readonly<Record<string, string | Readonly<Record<string, string>>>>

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly bin?: Readonly<Record<string, string>>
  readonly repository?: { readonly url: string; readonly directory?: string }
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly exports?: Readonly<Record<string, string | Conditions>>
}

export interface Package {
  readonly folder: string
  readonly manifest: Manifest
}

export const readJson = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))

const workspaces = ['packages', '.']
  .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => path.posix.join(folder, name)))
  .filter((folder) => existsSync(path.join(root, folder, 'package.json')))

/** Every manifest of the repository, the root's first, by its folder. */
export const manifests: readonly Package[] = ['.', ...workspaces].map((folder) => ({
  folder,
  manifest: readJson(`${folder}/package.json`),
}))

const dependsOn = (a: Package, b: Package): boolean => a.manifest.dependencies?.[b.manifest.name] !== undefined

export const published: readonly Package[] = manifests
  .filter(({ folder, manifest }) => folder.startsWith('packages/') && manifest.private !== true)
  .sort((a, b) => Number(dependsOn(a, b)) - Number(dependsOn(b, a)))
