// An .npz archive of one stored member, as np.savez writes it. Its size is known before its elements and its checksum
// after them, so the checksum is put in last.
import { CHECKSUM_AT, directory, localHeader, npyHeader, record } from 'bcast/npy'
import { FileError } from '../errors/file-error.ts'
import { crc32 } from './crc32.ts'
import { bytesPerElement, countOf } from './element.ts'
import type { ArrayDescription } from './sink.ts'
import type { Output } from './writing/output.ts'

/** An output that puts what is written into an archive, as its only file. */
export async function npzOutput(
  label: string,
  output: Output,
  file: string,
  description: ArrayDescription,
): Promise<Output> {
  const { patch } = output
  if (patch === undefined) {
    throw new FileError(label, 'an archive cannot be written to a pipe.', 'Write .npy there, or an archive to a file.')
  }
  const name = Buffer.from(file)
  const { dtype, shape } = description
  const size = npyHeader(description).length + countOf(shape) * bytesPerElement(dtype)
  const header = localHeader({ name, size, checksum: 0 })
  await output.write(header)
  let checksum = 0
  return {
    async write(bytes) {
      checksum = crc32(bytes, checksum)
      await output.write(bytes)
    },
    patch: undefined,
    async finish() {
      await output.write(directory([{ name, size, checksum, start: 0 }], header.length + size))
      await patch(CHECKSUM_AT, record([4, checksum]))
      await output.finish()
    },
    abort: () => output.abort(),
  }
}
