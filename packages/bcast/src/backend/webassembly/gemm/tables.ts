// Where the lines of an operand that is no matrix begin and where their elements lie, for kernels that gather them.
import type { GemmJob } from '../../gemm-job.ts'
import { offsetsOf } from '../../offsets.ts'

/**
 * Tables of offsets in bytes, for columns in strips of so many lanes: of the elements of a line, of whole strips of lines,
 * and whether groups of lines lie side by side; with how far the second and the third lie behind the first.
 */
export function tablesOf(
  { along, across }: NonNullable<GemmJob['gathered']>,
  width: number,
  lanes: number,
  group: number = lanes,
): { readonly words: Int32Array; readonly across: number; readonly unit: number } {
  const [steps, lines] = [offsetsOf(along), offsetsOf(across)]
  const count = Math.ceil(lines.length / lanes) * lanes
  const words = new Int32Array(steps.length + count + count / group)
  words.set(steps.map((offset) => offset * width))
  const starts = words.subarray(steps.length, steps.length + count)
  // A last strip that lacks lines repeats one.
  for (let i = 0; i < count; i++) starts[i] = lines[Math.min(i, lines.length - 1)]! * width
  const unit = words.subarray(steps.length + count)
  for (let i = 0; i < unit.length; i++) {
    const own = starts.subarray(i * group, (i + 1) * group)
    unit[i] = own.every((start, lane) => start === own[0]! + lane * width) ? 1 : 0
  }
  return { words, across: 4 * steps.length, unit: 4 * (steps.length + count) }
}
