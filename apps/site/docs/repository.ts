// Where the sources lie: on this machine for who builds, and on the web for who reads.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../../../', import.meta.url))

/** The text of a file, from the root of the repository. */
export const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** The bytes of a file that is no text. */
export const bytesOf = (file: string): Uint8Array => readFileSync(join(root, file))

/** The address of the repository. */
export const repository: string = JSON.parse(textOf('package.json')).repository.url.replace(/^git\+|\.git$/g, '')
