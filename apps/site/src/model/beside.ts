// The files beside a model, of which a worker reads what it needs, when it needs it: weights may be gigabytes.
import type { ExternalFiles } from '@bcast/onnx'

/** Files that came with the model, by their names alone: a browser does not say in which folder they lie. */
export function filesBeside(files: readonly File[]): ExternalFiles {
  const byName = new Map(files.map((file) => [file.name, file]))
  return {
    open(location) {
      const file = byName.get(location.slice(location.lastIndexOf('/') + 1))
      if (file === undefined) return undefined
      const read = (offset: number, length: number): Uint8Array =>
        new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(offset, offset + length)))
      return { size: file.size, read }
    },
  }
}
