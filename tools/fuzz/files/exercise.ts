// Everything that is done with an array in a file, done to bytes that may be anything. A FileError is an answer; any
// other error is a bug, and so is memory beyond the file or elements beyond the shape.
import { FileError } from '../../../packages/cli/src/errors/file-error.ts'
import { ByteStream } from '../../../packages/cli/src/files/bytes/byte-stream.ts'
import { memoryBytes } from '../../../packages/cli/src/files/bytes/bytes.ts'
import { bytesOf, bytesPerElement, countOf, newElements } from '../../../packages/cli/src/files/element.ts'
import { npySource, npyStreamSource } from '../../../packages/cli/src/files/npy.ts'
import { npzMembers, npzSource } from '../../../packages/cli/src/files/npz.ts'
import type { ArraySource } from '../../../packages/cli/src/files/source.ts'
import type { Kind } from './input.ts'

type Outcome = 'read' | 'refused'

const RUN = 1000

async function readAll(source: ArraySource): Promise<Buffer> {
  const count = countOf(source.shape)
  const run = newElements(source.dtype, Math.min(RUN, count))
  const parts: Buffer[] = []
  try {
    for (let start = 0; start < count; start += RUN) {
      const part = run.subarray(0, Math.min(RUN, count - start))
      await source.read(start, part)
      parts.push(Buffer.from(bytesOf(part)))
    }
  } finally {
    await source.close()
  }
  return Buffer.concat(parts)
}

async function attempt(
  open: () => Promise<ArraySource>,
): Promise<{ outcome: Outcome; elements?: Buffer; source?: ArraySource }> {
  try {
    const source = await open()
    return { outcome: 'read', elements: await readAll(source), source }
  } catch (error) {
    if (!(error instanceof FileError)) throw error
    return { outcome: 'refused' }
  }
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 37) yield bytes.subarray(at, at + 37)
}

/** A file and a stream of the same bytes give the same. */
async function exerciseNpy(bytes: Uint8Array): Promise<Outcome> {
  const file = await attempt(() => npySource('x.npy', memoryBytes(bytes)))
  const stream = await attempt(() => npyStreamSource('-', new ByteStream('-', chunksOf(bytes))))
  if (file.outcome !== stream.outcome || file.elements?.equals(stream.elements!) === false) {
    throw new Error(`as a file it is ${file.outcome}, as a stream ${stream.outcome}`)
  }
  const { source } = file
  if (source !== undefined && countOf(source.shape) * bytesPerElement(source.dtype) > bytes.length) {
    throw new Error(`${bytes.length} bytes are said to hold shape (${source.shape.join()})`)
  }
  return file.outcome
}

async function exerciseNpz(bytes: Uint8Array): Promise<Outcome> {
  let members: readonly string[] = []
  try {
    members = await npzMembers('x.npz', memoryBytes(bytes))
  } catch (error) {
    if (!(error instanceof FileError)) throw error
  }
  const outcomes: Outcome[] = []
  for (const member of [undefined, ...members.slice(0, 5)]) {
    outcomes.push((await attempt(() => npzSource('x.npz', memoryBytes(bytes), member))).outcome)
  }
  return outcomes.includes('read') ? 'read' : outcomes[0]!
}

/** What became of a file; throws what is neither an array nor a FileError. */
export const exercise = (kind: Kind, bytes: Uint8Array): Promise<Outcome> =>
  kind === 'npy' ? exerciseNpy(bytes) : exerciseNpz(bytes)
