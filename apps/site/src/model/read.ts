// A model's file in memory once, read piece by piece so that progress can be told.

/** Messages of Protocol Buffers are not larger, so that no model is. */
export const LARGEST = 2 ** 31 - 1

/** What browsers give. */
interface Streamed {
  readonly name: string
  readonly size: number
  stream(): ReadableStream<Uint8Array>
}

/** Throws what to say of a file that is too large. */
export class TooLarge extends Error {}

export async function readWhole(file: Streamed, progress: (done: number) => void): Promise<Uint8Array> {
  if (file.size > LARGEST) {
    throw new TooLarge(
      `${file.name} has ${file.size} bytes. No .onnx file has more than ${LARGEST}: larger models keep their weights in files beside it.`,
    )
  }
  const bytes = allocate(file)
  const reader = file.stream().getReader()
  let at = 0
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes.set(piece.value, at)
    at += piece.value.length
    progress(file.size === 0 ? 1 : at / file.size)
  }
  return bytes
}

function allocate({ name, size }: Streamed): Uint8Array {
  try {
    return new Uint8Array(size)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new TooLarge(
      `${name} has ${size} bytes, and the browser has no room for it. On a command line: bcast check ${name}`,
    )
  }
}
