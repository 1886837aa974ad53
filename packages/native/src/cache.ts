// How much the processor's last cache holds: results that fit are stored into it, for whoever reads them next, and larger
// ones past it. Linux tells of each cache beside the processor; C libraries and /proc/cpuinfo are not asked, because on
// virtual machines they give the whole host's, or another cache's.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Where nothing is told: what a core has of the last cache on most servers, and desktops have in all. */
const USUAL = 2 ** 25

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }

/** `32768K` as bytes; undefined where it is no size. */
function bytesIn(text: string): number | undefined {
  const [, digits, unit] = /^(\d+)([KMG]?)$/.exec(text) ?? []
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits) * UNITS[unit!]!
}

/** Bytes of the last cache of a processor. `folder` is where the system tells of it. */
export function lastCache(folder = '/sys/devices/system/cpu/cpu0/cache'): number {
  try {
    const caches = readdirSync(folder)
      .filter((name) => /^index\d+$/.test(name))
      .map((name) => {
        const told = (what: string): string => readFileSync(path.join(folder, name, what), 'utf8').trim()
        return { level: Number(told('level')), bytes: bytesIn(told('size')), holdsData: told('type') !== 'Instruction' }
      })
    const [last] = caches.filter(({ holdsData }) => holdsData).sort((a, b) => b.level - a.level)
    return last?.bytes ?? USUAL
  } catch {
    return USUAL
  }
}
