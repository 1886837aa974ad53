// The files of a built folder, with addresses as a page writes them.
import { readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/** Every file at or below a folder, as `assets/index.js`, in order. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
