// The header of an .npy file, versions 1.0 to 3.0: type, order and shape of the elements that follow.
import { FileError } from '../errors/file-error.ts'
import { bytesPerElement, countOf, type StoredDType } from './element.ts'
import { numpyName, numpyType, refusedType } from './numpy-type.ts'
import { type Literal, LiteralError, parseLiteral } from './python-literal.ts'
import type { ArrayDescription } from './sink.ts'
import type { Order } from './source.ts'

export interface NpyHeader {
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  readonly order: Order
  readonly littleEndian: boolean
  /** Bytes before the first element. */
  readonly length: number
}

export const NPY_MAGIC: Uint8Array = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59)

/** Hands out the next bytes, fewer than asked for at the end. */
export type Take = (length: number) => Promise<Uint8Array>

/** NumPy itself reads no header above 10,000 characters unless told to. */
const LONGEST_HEADER = 2 ** 16

const FIX = 'Save it again with np.save.'

async function taken(label: string, take: Take, length: number): Promise<Buffer> {
  const bytes = await take(length)
  if (bytes.length === length) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  throw new FileError(label, `the .npy header ends ${length - bytes.length} bytes too early.`, FIX)
}

function startsLike(label: string, start: Buffer): void {
  if (start.subarray(0, 6).equals(NPY_MAGIC)) return
  throw new FileError(
    label,
    `it is no .npy file: it begins with the bytes ${start.toString('hex', 0, 6)}, not ${Buffer.from(NPY_MAGIC).toString('hex')}.`,
  )
}

/** Text of the header and the number of bytes up to its end. */
async function headerText(label: string, take: Take): Promise<{ text: string; length: number }> {
  const start = await taken(label, take, 8)
  startsLike(label, start)
  const [major, minor] = [start[6]!, start[7]!]
  if (major < 1 || major > 3 || minor !== 0) {
    throw new FileError(label, `.npy version ${major}.${minor}; versions 1.0, 2.0 and 3.0 can be read.`, FIX)
  }
  const width = major === 1 ? 2 : 4
  const length = (await taken(label, take, width)).readUIntLE(0, width)
  if (length > LONGEST_HEADER) {
    throw new FileError(label, `the .npy header claims ${length} bytes; at most ${LONGEST_HEADER} are read.`, FIX)
  }
  const text = (await taken(label, take, length)).toString(major === 3 ? 'utf8' : 'latin1')
  return { text, length: 8 + width + length }
}

function fields(label: string, text: string): Record<'descr' | 'fortran_order' | 'shape', Literal> {
  let header: Literal
  try {
    header = parseLiteral(text)
  } catch (error) {
    if (!(error instanceof LiteralError)) throw error
    throw new FileError(label, `the .npy header is no Python dictionary: ${error.message}.`, FIX)
  }
  const keys = header.kind === 'dictionary' ? [...header.entries.keys()] : []
  if (header.kind !== 'dictionary' || keys.sort().join() !== 'descr,fortran_order,shape') {
    throw new FileError(
      label,
      `the .npy header has ${keys.length === 0 ? 'no keys' : `the keys ${keys.join(', ')}`}; it should have descr, fortran_order and shape.`,
      FIX,
    )
  }
  const of = (key: string): Literal => header.entries.get(key)!
  return { descr: of('descr'), fortran_order: of('fortran_order'), shape: of('shape') }
}

function typeIn(label: string, descr: Literal): { dtype: StoredDType; littleEndian: boolean } {
  if (descr.kind === 'list' || descr.kind === 'tuple') {
    throw new FileError(
      label,
      'its elements are records of several fields.',
      "Save one field in Python: np.save('x.npy', arr['field']).",
    )
  }
  if (descr.kind !== 'string') throw new FileError(label, 'descr in the .npy header names no type.', FIX)
  const type = numpyType(descr.value)
  if (type !== undefined) return type
  const { what, fix } = refusedType(descr.value)
  throw new FileError(label, `its type '${descr.value}' means ${what}.`, fix)
}

/** A shape whose elements can be counted; throws with the sizes otherwise. */
function shapeIn(label: string, shape: Literal, dtype: StoredDType): number[] {
  const sizes = shape.kind === 'tuple' ? shape.items : undefined
  if (sizes === undefined || !sizes.every((size) => size.kind === 'integer')) {
    throw new FileError(label, 'shape in the .npy header is no tuple of integers.', FIX)
  }
  const numbers = sizes.map(({ value }) => {
    if (value >= 0n) return Number(value)
    throw new FileError(label, `shape in the .npy header has the negative size ${value}.`, FIX)
  })
  const bytes = countOf(numbers) * bytesPerElement(dtype)
  if (!Number.isSafeInteger(bytes) || !numbers.every(Number.isSafeInteger)) {
    throw new FileError(label, `shape (${sizes.map(({ value }) => value).join(',')}) is larger than any file.`, FIX)
  }
  return numbers
}

/** Reads a header; nothing behind it is taken. */
export async function readNpyHeader(label: string, take: Take): Promise<NpyHeader> {
  const { text, length } = await headerText(label, take)
  const { descr, fortran_order: fortran, shape: sizes } = fields(label, text)
  const type = typeIn(label, descr)
  if (fortran.kind !== 'boolean') {
    throw new FileError(label, 'fortran_order in the .npy header is neither True nor False.', FIX)
  }
  const shape = shapeIn(label, sizes, type.dtype)
  return { ...type, shape, order: fortran.value && shape.length > 1 ? 'column-major' : 'row-major', length }
}

/** The header that NumPy would write: version 1.0 where it fits, elements beginning at a multiple of 64 bytes. */
export function npyHeader({ dtype, shape, order }: ArrayDescription): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`
  const text = `{'descr': '${numpyName(dtype)}', 'fortran_order': ${order === 'column-major' ? 'True' : 'False'}, 'shape': ${tuple}, }`
  const padded = (preamble: number): number => Math.ceil((preamble + text.length + 1) / 64) * 64
  const preamble = padded(10) - 10 < 2 ** 16 ? 10 : 12
  const length = padded(preamble)
  const header = Buffer.alloc(length, ' ')
  header.set(NPY_MAGIC)
  header[6] = preamble === 10 ? 1 : 2
  header[7] = 0
  header.writeUIntLE(length - preamble, 8, preamble - 8)
  header.write(text, preamble, 'latin1')
  header[length - 1] = 0x0a
  return header
}
