// ONNX tensors in .pb files. raw_data, which may have gigabytes, is found without reading it and then read in place;
// what is small is read by @bcast/onnx, which checks it.
import path from 'node:path'
import { dtypeOf, OnnxError, readTensorProto, tensorOf } from '@bcast/onnx'
import { folderFiles } from '@bcast/onnx/node'
import type { TensorProto } from '@bcast/onnx/proto'
import { FileError } from '../../errors/file-error.ts'
import { storedSource } from '../blocks/stored-array.ts'
import { type Bytes, memoryBytes } from '../bytes/bytes.ts'
import { bytesOf, bytesPerElement, countOf, type StoredDType } from '../element.ts'
import type { ArraySource } from '../source.ts'

const RAW_DATA = 9
const WINDOW = 2 ** 16

/** Reads forward over bytes through a window, and jumps over what need not be seen. */
class Cursor {
  readonly #bytes: Bytes
  #window = new Uint8Array()
  #windowAt = 0
  at = 0

  constructor(bytes: Bytes) {
    this.#bytes = bytes
  }

  get ended(): boolean {
    return this.at >= this.#bytes.size
  }

  async #byte(): Promise<number> {
    const inside = this.at - this.#windowAt
    if (inside < 0 || inside >= this.#window.length) {
      this.#window = new Uint8Array(Math.min(WINDOW, this.#bytes.size - this.at))
      await this.#bytes.read(this.at, this.#window)
      this.#windowAt = this.at
    }
    return this.#window[this.at++ - this.#windowAt]!
  }

  /** A variable-length integer; undefined where none ends in time. */
  async varint(): Promise<number | undefined> {
    let value = 0
    for (let shift = 0; shift < 10 && !this.ended; shift++) {
      const byte = await this.#byte()
      value += (byte & 0x7f) * 2 ** (7 * shift)
      if (byte < 0x80) return value
    }
    return undefined
  }
}

interface Run {
  readonly start: number
  readonly length: number
}

/** Where a field's value lies behind its tag; undefined where it is damaged or a group. */
async function valueAt(cursor: Cursor, wire: number): Promise<Run | undefined> {
  if (wire === 0) {
    const start = cursor.at
    return (await cursor.varint()) === undefined ? undefined : { start, length: cursor.at - start }
  }
  if (wire === 1) return { start: cursor.at, length: 8 }
  if (wire === 5) return { start: cursor.at, length: 4 }
  const length = wire === 2 ? await cursor.varint() : undefined
  return length === undefined ? undefined : { start: cursor.at, length }
}

interface Split {
  /** Runs of bytes with every field but raw_data. */
  readonly rest: readonly Run[]
  readonly rawData: Run | undefined
}

/** Finds raw_data; undefined for what is no sound message. */
async function splitMessage(bytes: Bytes): Promise<Split | undefined> {
  const cursor = new Cursor(bytes)
  const rest: Run[] = []
  let rawData: Run | undefined
  let from = 0
  while (!cursor.ended) {
    const start = cursor.at
    const tag = await cursor.varint()
    const value = tag === undefined ? undefined : await valueAt(cursor, tag % 8)
    if (tag === undefined || value === undefined || value.start + value.length > bytes.size) return undefined
    cursor.at = value.start + value.length
    if (Math.floor(tag / 8) !== RAW_DATA || tag % 8 !== 2) continue
    rawData = value
    if (start > from) rest.push({ start: from, length: start - from })
    from = cursor.at
  }
  if (bytes.size > from) rest.push({ start: from, length: bytes.size - from })
  return { rest, rawData }
}

async function gathered(label: string, bytes: Bytes, runs: readonly Run[], memory: number): Promise<Uint8Array> {
  const size = runs.reduce((sum, { length }) => sum + length, 0)
  if (size > memory) {
    throw new FileError(
      label,
      `it has ${size} bytes beside raw_data, and ${memory} may be held.`,
      'Raise --memory, or save the tensor with raw_data (onnx.numpy_helper.from_array).',
    )
  }
  const joined = new Uint8Array(size)
  let at = 0
  for (const { start, length } of runs) {
    await bytes.read(start, joined.subarray(at, at + length))
    at += length
  }
  return joined
}

function shapeOf(label: string, proto: TensorProto): number[] {
  const shape = proto.dims.map(Number)
  if (
    shape.every((size) => size >= 0) &&
    Number.isSafeInteger(countOf(shape) * 8) &&
    shape.every(Number.isSafeInteger)
  ) {
    return shape
  }
  throw new FileError(label, `its sizes (${proto.dims.join(',')}) are no shape of a tensor.`)
}

function storedType(label: string, proto: TensorProto): StoredDType {
  const dtype = dtypeOf(proto.dataType, 'the tensor')
  if (dtype !== 'string') return dtype
  throw new FileError(label, 'its elements are strings; numbers and booleans can be read.')
}

function inPlace(label: string, bytes: Bytes, proto: TensorProto, rawData: Run): ArraySource {
  // Checks everything about the message but the elements, which are not there to be checked.
  const others = [
    proto.floatData,
    proto.int32Data,
    proto.int64Data,
    proto.doubleData,
    proto.uint64Data,
    proto.stringData,
  ]
  if (others.some((field) => field.length > 0) || proto.externalData.length > 0) {
    throw new FileError(label, 'its elements lie in raw_data and in another field too.')
  }
  if (proto.segment !== undefined) throw new FileError(label, 'it is a segment of a larger tensor.')
  const [dtype, shape] = [storedType(label, proto), shapeOf(label, proto)]
  const expected = countOf(shape) * bytesPerElement(dtype)
  if (rawData.length !== expected) {
    throw new FileError(
      label,
      `raw_data has ${rawData.length} bytes where shape (${shape.join(',')}) of ${dtype} takes ${expected}.`,
    )
  }
  return storedSource({ label, dtype, shape, order: 'row-major', littleEndian: true }, bytes, rawData.start)
}

async function held(
  label: string,
  bytes: Bytes,
  proto: TensorProto,
  file: string,
  memory: number,
): Promise<ArraySource> {
  const [dtype, shape] = [storedType(label, proto), shapeOf(label, proto)]
  const size = countOf(shape) * bytesPerElement(dtype)
  if (size > memory)
    throw new FileError(label, `its elements take ${size} bytes, and ${memory} may be held.`, 'Raise --memory.')
  const { data } = tensorOf(proto, { files: folderFiles(path.dirname(file)) })
  await bytes.close()
  const elements = memoryBytes(bytesOf(data as ArrayBufferView))
  return storedSource({ label, dtype, shape, order: 'row-major', littleEndian: true }, elements, 0)
}

/** A TensorProto in the bytes of `file`; up to `memory` bytes are held where elements lie anywhere but in raw_data. */
export async function pbSource(label: string, bytes: Bytes, file: string, memory: number): Promise<ArraySource> {
  const split = await splitMessage(bytes)
  // What is no message is left to the reader that can say why.
  const described = await gathered(label, bytes, split?.rest ?? [{ start: 0, length: bytes.size }], memory)
  try {
    const proto = readTensorProto(described, { memory })
    if (split?.rawData !== undefined && split.rawData.length > 0) return inPlace(label, bytes, proto, split.rawData)
    return await held(label, bytes, proto, file, memory)
  } catch (error) {
    if (!(error instanceof OnnxError)) throw error
    throw new FileError(label, `it is no ONNX tensor that can be read: ${error.message}`)
  }
}
