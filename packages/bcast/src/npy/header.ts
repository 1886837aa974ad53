// The header of an .npy file, versions 1.0 to 3.0: type, order and shape of the elements that follow.
import { bitsOf } from '../dtype/dtype.ts'
import { FormatError } from '../errors/index.ts'
import { numpyName, numpyType, refusedType, type StoredDType } from './numpy-type.ts'
import { type Literal, LiteralError, parseLiteral } from './python-literal.ts'

/** How elements lie in a file: `'column-major'` is NumPy's Fortran order, where the first axis runs fastest. */
export type Order = 'row-major' | 'column-major'

/** What a header says of the elements behind it. */
export interface NpyHeader {
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  readonly order: Order
  readonly littleEndian: boolean
  /** Bytes before the first element. */
  readonly length: number
}

/** The bytes that every .npy file begins with. */
export const NPY_MAGIC: Uint8Array = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59)

/** NumPy itself reads no header above 10,000 characters unless told to. */
const LONGEST_HEADER = 2 ** 16

const FIX = 'Save it again with np.save.'

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The bytes of a header from which its length follows: those that say, and how many they are. */
function preamble(bytes: Uint8Array): number {
  if (!NPY_MAGIC.every((byte, i) => byte === bytes[i])) {
    throw new FormatError(`it is no .npy file: it begins with the bytes ${hex(bytes)}, not ${hex(NPY_MAGIC)}.`)
  }
  const [major, minor] = [bytes[6]!, bytes[7]!]
  if (major < 1 || major > 3 || minor !== 0) {
    throw new FormatError(`.npy version ${major}.${minor}; versions 1.0, 2.0 and 3.0 can be read.`, FIX)
  }
  return major === 1 ? 10 : 12
}

/** The number behind the version, of two bytes or four. */
function textLength(bytes: Uint8Array, end: number): number {
  let length = 0
  for (let at = end - 1; at >= 8; at--) length = length * 256 + bytes[at]!
  if (length <= LONGEST_HEADER) return length
  throw new FormatError(`the .npy header claims ${length} bytes; at most ${LONGEST_HEADER} are read.`, FIX)
}

/** Text of Latin-1, or from version 3 on of UTF-8; what a header may hold beside ASCII are names of fields alone. */
const textOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

function fields(text: string): Record<'descr' | 'fortran_order' | 'shape', Literal> {
  let header: Literal
  try {
    header = parseLiteral(text)
  } catch (error) {
    if (!(error instanceof LiteralError)) throw error
    throw new FormatError(`the .npy header is no Python dictionary: ${error.message}.`, FIX)
  }
  const keys = header.kind === 'dictionary' ? [...header.entries.keys()] : []
  if (header.kind !== 'dictionary' || keys.sort().join() !== 'descr,fortran_order,shape') {
    throw new FormatError(
      `the .npy header has ${keys.length === 0 ? 'no keys' : `the keys ${keys.join(', ')}`}; it should have descr, fortran_order and shape.`,
      FIX,
    )
  }
  const of = (key: string): Literal => header.entries.get(key)!
  return { descr: of('descr'), fortran_order: of('fortran_order'), shape: of('shape') }
}

function typeIn(descr: Literal): { dtype: StoredDType; littleEndian: boolean } {
  if (descr.kind === 'list' || descr.kind === 'tuple') {
    throw new FormatError(
      'its elements are records of several fields.',
      "Save one field in Python: np.save('x.npy', arr['field']).",
    )
  }
  if (descr.kind !== 'string') throw new FormatError('descr in the .npy header names no type.', FIX)
  const type = numpyType(descr.value)
  if (type !== undefined) return type
  const { what, fix } = refusedType(descr.value)
  throw new FormatError(`its type '${descr.value}' means ${what}.`, fix)
}

/** A shape whose elements can be counted; throws with the sizes otherwise. */
function shapeIn(shape: Literal, dtype: StoredDType): number[] {
  const sizes = shape.kind === 'tuple' ? shape.items : undefined
  if (sizes === undefined || !sizes.every((size) => size.kind === 'integer')) {
    throw new FormatError('shape in the .npy header is no tuple of integers.', FIX)
  }
  const numbers = sizes.map(({ value }) => {
    if (value >= 0n) return Number(value)
    throw new FormatError(`shape in the .npy header has the negative size ${value}.`, FIX)
  })
  const bytes = (countOf(numbers) * bitsOf(dtype)) / 8
  if (!Number.isSafeInteger(bytes) || !numbers.every(Number.isSafeInteger)) {
    throw new FormatError(`shape (${sizes.map(({ value }) => value).join(',')}) is larger than any file.`, FIX)
  }
  return numbers
}

/**
 * Reads a header from the beginning of a file. Where more bytes are needed it gives how many in all, so that a reader of
 * streams takes nothing that lies behind; a file of fewer bytes is cut off.
 */
export function parseNpyHeader(bytes: Uint8Array): NpyHeader | number {
  if (bytes.length < 8) return 8
  const start = preamble(bytes)
  if (bytes.length < start) return start
  const length = start + textLength(bytes, start)
  if (bytes.length < length) return length
  const { descr, fortran_order: fortran, shape: sizes } = fields(textOf(bytes.subarray(start, length)))
  const type = typeIn(descr)
  if (fortran.kind !== 'boolean') {
    throw new FormatError('fortran_order in the .npy header is neither True nor False.', FIX)
  }
  const shape = shapeIn(sizes, type.dtype)
  return { ...type, shape, order: fortran.value && shape.length > 1 ? 'column-major' : 'row-major', length }
}

/** The error of a file that ends within its header. */
export const endsInHeader = (missing: number): FormatError =>
  new FormatError(`the .npy header ends ${missing} bytes too early.`, FIX)

/** Bytes of a whole .npy file with such a header. */
export const npySize = ({ dtype, shape, length }: NpyHeader): number => length + (countOf(shape) * bitsOf(dtype)) / 8

/** Throws where a file has more or fewer bytes than its header claims. */
export function checkNpySize(header: NpyHeader, size: number): void {
  const expected = npySize(header)
  if (size === expected) return
  const wrong =
    size < expected ? `${expected - size} bytes are missing` : `${size - expected} bytes follow the last element`
  throw new FormatError(
    `${wrong}: shape (${header.shape.join(',')}) of ${header.dtype} takes ${expected} bytes with its header, and there are ${size}.`,
  )
}

/** An array that is to be written. */
export interface NpyDescription {
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  /** How the elements lie in the file, row-major unless said. */
  readonly order?: Order
}

/** The header that NumPy would write: version 1.0 where it fits, elements beginning at a multiple of 64 bytes. */
export function npyHeader({ dtype, shape, order }: NpyDescription): Uint8Array {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`
  const text = `{'descr': '${numpyName(dtype)}', 'fortran_order': ${order === 'column-major' ? 'True' : 'False'}, 'shape': ${tuple}, }`
  const padded = (start: number): number => Math.ceil((start + text.length + 1) / 64) * 64
  const start = padded(10) - 10 < 2 ** 16 ? 10 : 12
  const length = padded(start)
  const header = new Uint8Array(length).fill(0x20)
  header.set(NPY_MAGIC)
  header[6] = start === 10 ? 1 : 2
  header[7] = 0
  for (let at = 8, rest = length - start; at < start; at++, rest = Math.floor(rest / 256)) header[at] = rest % 256
  for (let i = 0; i < text.length; i++) header[start + i] = text.charCodeAt(i)
  header[length - 1] = 0x0a
  return header
}

/** Number of elements; Infinity or an inexact number where it exceeds 2^53. */
const countOf = (shape: readonly number[]): number =>
  shape.includes(0) ? 0 : shape.reduce((product, size) => product * size, 1)
