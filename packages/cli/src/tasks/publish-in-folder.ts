// A result in a local folder is written beside its place and renamed. Readers look into every folder of a group, so that
// what is not in its place has no metadata under their own names: the array that is replaced loses them first, the new
// one gets them last. Between the two there is none; a process that is killed there is repaired by the next.
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { about, FileError } from '../errors/file-error.ts'
import { writeWhole } from '../files/writing/write-whole.ts'
import { metadataText } from '../zarr/metadata/json.ts'
import type { ZarrPlace } from '../zarr/place.ts'
import { REPLACED, STAGED } from '../zarr/staging.ts'
import type { Publication } from './publication.ts'
import { GROUP, groupsAbove, nodeKind, refuseToReplace } from './replaced-node.ts'

/** Names have at most 255 bytes. */
const NAME_LENGTH = 100

/** What makes a folder an array; readers prefer the last. */
const METADATA = ['.zarray', 'zarr.json']
/** Metadata that no reader finds. */
const veiled = (name: string): string => `.bcast-${name}`

const isThere = async (file: string): Promise<boolean> => (await stat(file).catch(() => undefined)) !== undefined

/** Every file below a folder, as keys. */
async function* filesIn(folder: string, prefix = ''): AsyncGenerator<string> {
  for (const entry of await readdir(path.join(folder, prefix), { withFileTypes: true })) {
    const key = prefix + entry.name
    if (entry.isDirectory()) yield* filesIn(folder, `${key}/`)
    else yield key
  }
}

/** From now on nobody takes a folder for an array. */
async function veil(folder: string): Promise<void> {
  for (const name of METADATA) {
    const shown = path.join(folder, name)
    if (await isThere(shown)) await rename(shown, path.join(folder, veiled(name)))
  }
}

/** Metadata of an array that is to be shown, by the plan that it is the result of. */
const comingBy = (hash: string): string => veiled(`${hash}-zarr.json`)
const isComing = (file: string): boolean => /^\.bcast-[0-9a-f]+-zarr\.json$/.test(file)

async function unveil(folder: string): Promise<void> {
  const files = await readdir(folder).catch((): string[] => [])
  const hidden = [...METADATA.toReversed().map((name) => [veiled(name), name] as const)]
  for (const file of files.filter(isComing)) hidden.push([file, 'zarr.json'])
  for (const [file, name] of hidden) {
    // What somebody else has put there since stays.
    if (files.includes(file) && !(await isThere(path.join(folder, name)))) {
      await rename(path.join(folder, file), path.join(folder, name))
    }
  }
}

const isObject = (key: string): boolean => !path.posix.basename(key).startsWith('.')

export function publishInFolder({ label, store, path: inside }: ZarrPlace, hash: string): Publication {
  const root = path.resolve(store)
  const target = path.join(root, inside)
  const folder = path.dirname(target)
  const name = `.${path.basename(target).slice(0, NAME_LENGTH)}`
  const staged = path.join(folder, `${name}.${hash}${STAGED}`)
  const old = path.join(folder, `${name}${REPLACED}`)
  const groups = groupsAbove(inside).map((group) => path.join(root, group))
  const read = (file: string): Promise<Uint8Array | undefined> => readFile(file).catch(() => undefined)
  const kindOf = (node: string) => nodeKind((key) => read(path.join(node, key)))

  async function check(): Promise<void> {
    const parent = path.dirname(root)
    if (!(await isThere(parent))) throw new FileError(label, `there is no folder ${parent}.`)
    for (const group of groups) refuseToReplace(label, 'above', await kindOf(group))
    const found = await stat(target).catch(() => undefined)
    if (found === undefined) return
    if (!found.isDirectory()) throw new FileError(label, 'a file of this name is there.', 'Name another folder.')
    const isEmpty = (await readdir(target)).length === 0
    if (!isEmpty) refuseToReplace(label, 'replaced', await kindOf(target))
  }

  /** Shows what is whole: the array that was to be replaced, or the one that has its place already. */
  async function repair(): Promise<void> {
    if (!(await isThere(target)) && (await isThere(old))) await rename(old, target)
    await unveil(target)
  }

  async function show(): Promise<void> {
    try {
      await veil(target)
      if (await isThere(target)) await rename(target, old)
      await rename(staged, target)
      await unveil(target)
    } catch (error) {
      await repair().catch(() => {})
      throw error
    }
  }

  /** What evaluations of the same place left that were killed. */
  async function clear(except: string | undefined): Promise<void> {
    if (!(await isThere(folder))) return
    await rm(old, { recursive: true, force: true })
    for (const entry of await readdir(folder)) {
      const isLeft =
        entry.startsWith(`${name}.`) && entry.endsWith(STAGED) && entry.length === path.basename(staged).length
      if (isLeft && entry !== except) await rm(path.join(folder, entry), { recursive: true, force: true })
    }
  }

  return {
    staging: { store: staged, prefix: '' },
    begin: (resume) =>
      about(label, async () => {
        // What this plan was about to show is gone on with, rather than computed again.
        if (resume && !(await isThere(staged)) && (await isThere(path.join(target, comingBy(hash))))) {
          await rename(target, staged)
        }
        await repair()
        await check()
        await clear(resume ? path.basename(staged) : undefined)
        await mkdir(staged, { recursive: true })
        const keys = new Set<string>()
        for await (const key of filesIn(staged)) if (isObject(key)) keys.add(key)
        return keys
      }),
    finish: (metadata) =>
      about(label, async () => {
        // Parts of objects that killed workers left are nobody's now.
        for await (const key of filesIn(staged)) if (!isObject(key)) await rm(path.join(staged, key))
        await writeFile(path.join(staged, comingBy(hash)), metadataText(metadata))
        for (const group of groups) {
          if ((await kindOf(group)) === 'none') await writeWhole(path.join(group, 'zarr.json'), JSON.stringify(GROUP))
        }
        await show()
        await rm(old, { recursive: true, force: true })
      }),
    async abort() {
      await rm(staged, { recursive: true, force: true })
      // Folders of groups that were made for it.
      for (const group of groups.toReversed()) await rmdir(group).catch(() => {})
    },
  }
}
