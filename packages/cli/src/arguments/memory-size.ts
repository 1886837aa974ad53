// Amounts of memory as people write them: `256MiB`, `1G`, `500 MB`, `1073741824`.
import { UsageError } from '../errors/usage-error.ts'

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 2 ** 10,
  m: 2 ** 20,
  g: 2 ** 30,
  t: 2 ** 40,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
}

export function parseMemorySize(text: string): number {
  const parts = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text)
  const unit = UNITS[parts?.[2]?.toLowerCase() ?? '?']
  const bytes = unit === undefined ? Number.NaN : Math.floor(Number(parts![1]) * unit)
  if (!Number.isSafeInteger(bytes) || bytes === 0) {
    throw new UsageError(
      `--memory is ${JSON.stringify(text)}; it is a number of bytes, such as 256MiB, 1GiB or 500MB (K, M and G are KiB, MiB and GiB).`,
    )
  }
  return bytes
}

export function formatBytes(bytes: number): string {
  const power = Math.min(4, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const amount = bytes / 2 ** (10 * power)
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`
}
