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

interface Cache {
  readonly level: number
  readonly bytes: number | undefined
  readonly holdsData: boolean
}

/** The caches of a processor that hold data, the nearest first. `folder` is where the system tells of them. */
function cachesIn(folder: string): readonly Cache[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^index\d+$/.test(name))
      .map((name): Cache => {
        const told = (what: string): string => readFileSync(path.join(folder, name, what), 'utf8').trim()
        return { level: Number(told('level')), bytes: bytesIn(told('size')), holdsData: told('type') !== 'Instruction' }
      })
      .filter(({ holdsData }) => holdsData)
      .sort((a, b) => a.level - b.level)
  } catch {
    return []
  }
}

const FOLDER = '/sys/devices/system/cpu/cpu0/cache'

/** Bytes of a result that the last cache does not keep: what it is made of has just come through it, too. */
export const uncached = (): number => lastCache() / 2

/** Bytes of the last cache of a processor. */
export const lastCache = (folder: string = FOLDER): number => cachesIn(folder).at(-1)?.bytes ?? USUAL

/** Bytes of the two caches that a core has to itself; what is usual where nothing is told. */
export function coreCaches(folder: string = FOLDER): { readonly first: number; readonly second: number } {
  const found = cachesIn(folder)
  const of = (level: number): number | undefined => found.find((cache) => cache.level === level)?.bytes
  return { first: of(1) ?? 2 ** 15, second: of(2) ?? 2 ** 19 }
}
