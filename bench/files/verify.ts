// Whether a file holds what it should, element by element and to the bit, read in step with its operands.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const CHUNK = 1 << 22

/** The elements of a .npy file of float32, in chunks. */
function* elementsIn(file: string): Generator<Float32Array> {
  const descriptor = openSync(file, 'r')
  try {
    const head = Buffer.alloc(10)
    readSync(descriptor, head, 0, 10, 0)
    let position = 10 + head.readUInt16LE(8)
    const { size } = fstatSync(descriptor)
    const buffer = new Uint8Array(CHUNK)
    while (position < size) {
      const bytes = readSync(descriptor, buffer, 0, Math.min(CHUNK, size - position), position)
      position += bytes
      yield new Float32Array(buffer.buffer, 0, bytes / 4)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Throws unless two files hold the same bits; headers may be padded differently. */
export function checkSame(result: string, expected: string): void {
  const others = elementsIn(expected)
  let count = 0
  for (const elements of elementsIn(result)) {
    const wanted = others.next().value as Float32Array | undefined
    const bytesOf = ({ buffer, byteLength }: Float32Array): Buffer => Buffer.from(buffer, 0, byteLength)
    if (wanted === undefined || !bytesOf(elements).equals(bytesOf(wanted))) {
      throw new Error(`elements differ behind ${count}`)
    }
    count += elements.length
  }
  if (others.next().done !== true) throw new Error('the result is shorter')
}

/** Throws unless `result` is the sum of two files. */
export function checkSum(result: string, a: string, b: string): void {
  const [left, right] = [elementsIn(a), elementsIn(b)]
  let count = 0
  for (const sum of elementsIn(result)) {
    const [x, y] = [left.next().value as Float32Array, right.next().value as Float32Array]
    for (let i = 0; i < sum.length; i++) {
      if (sum[i] !== Math.fround(x[i]! + y[i]!)) throw new Error(`element ${count + i} of the result is ${sum[i]}`)
    }
    count += sum.length
  }
  if (left.next().done !== true) throw new Error('the result is shorter than its operands')
}
