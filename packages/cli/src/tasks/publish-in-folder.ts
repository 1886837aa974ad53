// A result in a local folder is written beside its place and renamed. Between the two renames that replace an array
// there is none; a process that is killed there is repaired by the next.
import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { about, FileError } from '../errors/file-error.ts'
import { writeWhole } from '../files/writing/write-whole.ts'
import { metadataText } from '../zarr/metadata/json.ts'
import type { ZarrPlace } from '../zarr/place.ts'
import type { Publication } from './publication.ts'
import { GROUP, groupsAbove, nodeKind, refuseToReplace } from './replaced-node.ts'

/** Names have at most 255 bytes. */
const NAME_LENGTH = 100

const STAGED = '.bcast-tasks'
const OLD = '.bcast-old'

const isThere = async (file: string): Promise<boolean> => (await stat(file).catch(() => undefined)) !== undefined

/** Every file below a folder, as keys. */
async function* filesIn(folder: string, prefix = ''): AsyncGenerator<string> {
  for (const entry of await readdir(path.join(folder, prefix), { withFileTypes: true })) {
    const key = prefix + entry.name
    if (entry.isDirectory()) yield* filesIn(folder, `${key}/`)
    else yield key
  }
}

const isObject = (key: string): boolean => !path.posix.basename(key).startsWith('.')

export function publishInFolder({ label, store, path: inside }: ZarrPlace, hash: string): Publication {
  const root = path.resolve(store)
  const target = path.join(root, inside)
  const folder = path.dirname(target)
  const name = `.${path.basename(target).slice(0, NAME_LENGTH)}`
  const staged = path.join(folder, `${name}.${hash}${STAGED}`)
  const old = path.join(folder, `${name}${OLD}`)
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

  /** What evaluations of the same place left that were killed. */
  async function clear(except: string | undefined): Promise<void> {
    if (!(await isThere(folder))) return
    // Killed between the two renames.
    if (!(await isThere(target)) && (await isThere(old))) await rename(old, target)
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
        await writeFile(path.join(staged, 'zarr.json'), metadataText(metadata))
        for (const group of groups) {
          if ((await kindOf(group)) === 'none') await writeWhole(path.join(group, 'zarr.json'), JSON.stringify(GROUP))
        }
        if (await isThere(target)) await rename(target, old)
        await rename(staged, target)
        await rm(old, { recursive: true, force: true })
      }),
    async abort() {
      await rm(staged, { recursive: true, force: true })
      // Folders of groups that were made for it.
      for (const group of groups.toReversed()) await rmdir(group).catch(() => {})
    },
  }
}
