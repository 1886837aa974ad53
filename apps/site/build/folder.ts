// Where the built page lies. Who opens it needs nothing of what builds it.
import { fileURLToPath } from 'node:url'

export const folder: string = fileURLToPath(new URL('../dist/', import.meta.url))
