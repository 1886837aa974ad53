// .npy files made by hand, sound or not, without any code of the program.
import { bytesOf, type StoredDType, type TypedArray } from '../../packages/cli/src/files/element.ts'

export interface MadeArray {
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  /** As they lie in the file. */
  readonly elements: TypedArray
}

const codes: Readonly<Record<StoredDType, string>> = {
  float16: 'f2',
  bfloat16: 'V2',
  float32: 'f4',
  float64: 'f8',
  int8: 'i1',
  int16: 'i2',
  int32: 'i4',
  int64: 'i8',
  uint8: 'u1',
  uint16: 'u2',
  uint32: 'u4',
  uint64: 'u8',
  bool: 'b1',
}

export const reversedBytes = (elements: TypedArray): Uint8Array => {
  const width = elements.BYTES_PER_ELEMENT
  const bytes = bytesOf(elements)
  return Uint8Array.from(bytes, (_, i) => bytes[i - (i % width) + (width - 1 - (i % width))]!)
}

interface NpyOptions {
  readonly order?: '<' | '>' | '=' | '|'
  readonly fortran?: boolean
  readonly version?: 1 | 2 | 3
}

/** An .npy file written without any code of the program. */
export function npyBytes({ dtype, shape, elements }: MadeArray, options: NpyOptions = {}): Buffer {
  const { order = '<', fortran = false, version = 1 } = options
  const tuple = `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`
  const text = `{'descr': '${order}${codes[dtype]}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${tuple}, }`
  return withHeader(text, order === '>' ? reversedBytes(elements) : bytesOf(elements), version)
}

export function withHeader(text: string, elements: Uint8Array = new Uint8Array(), version = 1): Buffer {
  const header = Buffer.from(`${text}\n`, version === 3 ? 'utf8' : 'latin1')
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), version, 0])
  const length = Buffer.alloc(version === 1 ? 2 : 4)
  length.writeUIntLE(header.length, 0, length.length)
  return Buffer.concat([start, length, header, elements])
}
