// What a dropped file is: an array whose shape its header says, or a text. Only as much of it is read as that takes, so
// that a file of any size is as quick as a small one.
import { BcastError } from 'bcast'

/** A file as browsers give it; tests have their own. */
export interface GivenFile {
  readonly name: string
  readonly size: number
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

export type FileContent =
  | { readonly kind: 'array'; readonly shape: readonly number[]; readonly dtype: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'problem'; readonly text: string }

/** A header is some hundred bytes, and of a log the first part is enough. */
const HEADER = 2 ** 16
const MOST_TEXT = 2 ** 20

const bytesOf = async (file: GivenFile, end: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, Math.min(end, file.size)).arrayBuffer())

const NUMPY = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]

async function readArray(bytes: Uint8Array, name: string): Promise<FileContent> {
  const { parseNpyHeader } = await import('bcast/npy')
  try {
    const header = parseNpyHeader(bytes)
    if (typeof header === 'number') return { kind: 'problem', text: `${name} ends inside its header.` }
    return { kind: 'array', shape: header.shape, dtype: header.dtype }
  } catch (error) {
    if (error instanceof BcastError) return { kind: 'problem', text: `${name}: ${error.message}` }
    throw error
  }
}

export async function readFile(file: GivenFile): Promise<FileContent> {
  const start = await bytesOf(file, HEADER)
  if (NUMPY.every((byte, i) => start[i] === byte)) return readArray(start, file.name)
  // Texts have no zero bytes.
  if (start.includes(0) || file.size === 0) {
    return { kind: 'problem', text: `${file.name} is neither an array of NumPy (.npy) nor a text.` }
  }
  return { kind: 'text', text: new TextDecoder().decode(await bytesOf(file, MOST_TEXT)) }
}
