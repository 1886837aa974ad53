// What may be replaced by a result: an array, or nothing. Everything else there is refused, because it would be lost.
import { FileError } from '../errors/file-error.ts'

export type NodeKind = 'array' | 'group' | 'version 2 array' | 'version 2 group' | 'none'

/** The metadata of a group, version 3. */
export const GROUP = { zarr_format: 3, node_type: 'group', attributes: {} }

/** The groups that a path goes through, the root first. */
export function groupsAbove(inside: string): string[] {
  const parts = inside.split('/').filter((part) => part !== '')
  return parts.map((_, i) => parts.slice(0, i).join('/'))
}

/** `read` gives what lies under a key of the node. */
export async function nodeKind(read: (key: string) => Promise<Uint8Array | undefined>): Promise<NodeKind> {
  const text = await read('zarr.json')
  if (text !== undefined) return /"node_type"\s*:\s*"group"/.test(Buffer.from(text).toString()) ? 'group' : 'array'
  if ((await read('.zarray')) !== undefined) return 'version 2 array'
  return (await read('.zgroup')) === undefined ? 'none' : 'version 2 group'
}

/** Throws unless a node may be above the result, or be replaced by it. */
export function refuseToReplace(label: string, where: 'above' | 'replaced', kind: NodeKind): void {
  if (where === 'above') {
    if (kind === 'none' || kind === 'group') return
    throw new FileError(
      label,
      `it would lie in ${kind === 'array' ? 'an' : 'a'} ${kind}.`,
      'Name a group of version 3, or a new one.',
    )
  }
  if (kind === 'array' || kind === 'version 2 array') return
  if (kind === 'none') throw new FileError(label, 'a folder is there that holds no Zarr array.', 'Name a new one.')
  throw new FileError(
    label,
    `a ${kind} is there, whose arrays would be lost.`,
    'Name an array in it, such as x.zarr:y, or a new place.',
  )
}
