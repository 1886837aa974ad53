// What is typed of a result in chunks: sizes, a codec, threads.
import { suggestion } from '../errors/nearest.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { OutputCodec } from '../zarr/output.ts'

/** `512,512`. */
export const sizesFrom =
  (flag: string) =>
  (text: string): number[] => {
    const sizes = text.trim() === '' ? [] : text.split(',').map((size) => size.trim())
    if (sizes.every((size) => /^[1-9]\d{0,14}$/.test(size))) return sizes.map(Number)
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it is sizes with commas, such as ${flag} 512,512.`)
  }

/** The levels that each codec has; none has none. */
const LEVELS = { zstd: [-7, 22], gzip: [0, 9], blosc: [0, 9], none: undefined } as const

/** `zstd`, `zstd:5`. */
export function parseCodec(text: string): OutputCodec {
  const [name, level] = text.split(/:(.*)/s) as [string, string?]
  if (!Object.hasOwn(LEVELS, name)) {
    throw new UsageError(
      `--codec ${JSON.stringify(text)}: there is no codec ${JSON.stringify(name)}. ${suggestion(name, Object.keys(LEVELS))}`,
    )
  }
  const codec = name as keyof typeof LEVELS
  if (level === undefined) return { name: codec }
  const range = LEVELS[codec]
  if (range === undefined) throw new UsageError(`--codec ${text}: none has no level.`)
  const [least, most] = range
  const isLevel = /^-?\d{1,3}$/.test(level) && Number(level) >= least && Number(level) <= most
  if (!isLevel) throw new UsageError(`--codec ${text}: a level of ${codec} is a whole number from ${least} to ${most}.`)
  return { name: codec, level: Number(level) }
}

export function parseThreads(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new UsageError(`--threads is ${JSON.stringify(text)}; it is a number from 1 on.`)
}
