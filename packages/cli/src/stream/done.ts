// What an evaluation that wrote its result says at last: what there is now, how long it took, and how fast bytes went.
import { formatBytes } from '../arguments/memory-size.ts'
import { bytesPerElement, countOf, type StoredDType } from '../files/element.ts'

interface Done {
  readonly output: string
  readonly dtype: StoredDType
  readonly shape: readonly number[]
  /** Bytes of elements that were read and written. */
  readonly bytes: number
  readonly milliseconds: number
}

const timeText = (milliseconds: number): string =>
  milliseconds < 999.5 ? `${Math.max(1, Math.round(milliseconds))} ms` : `${(milliseconds / 1000).toFixed(2)} s`

/** `y.npy: (4096,4096) float32, 64.0 MiB in 41 ms, 3.0 GiB/s read and written`. */
export function doneText({ output, dtype, shape, bytes, milliseconds }: Done): string {
  const size = formatBytes(countOf(shape) * bytesPerElement(dtype))
  const rate = formatBytes(bytes / (Math.max(1, milliseconds) / 1000))
  // One line, whatever is in the name.
  const name = output === '-' ? 'stdout' : output.replaceAll('\n', '\\n')
  return `${name}: (${shape.join()}) ${dtype}, ${size} in ${timeText(milliseconds)}, ${rate}/s read and written`
}
