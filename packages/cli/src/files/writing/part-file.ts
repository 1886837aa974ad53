// A file is written beside its place, under a name that says who writes it, and renamed when it is whole. Whatever
// happens to the process, the previous file stays. What a killed process left is cleared by the next one that writes in
// the same folder.
//
// Nothing is flushed to the disk itself (fsync): the guarantee is about processes, not power cuts, and flushing would
// take longer than computing. Closing is awaited, since network file systems report a full disk there.
import { createHash, randomBytes } from 'node:crypto'
import { readlinkSync, unlinkSync } from 'node:fs'
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'

const SUFFIX = '.bcast-part'
const PATTERN = /\.([0-9a-f]{8})\.(\d+)\.[0-9a-f]{12}\.bcast-part$/
/** Names have at most 255 bytes; a long one is cut in the name of its part. */
const NAME_LENGTH = 40
const DAY = 24 * 60 * 60 * 1000

/** Process numbers mean something on one machine and in one container only. */
function machine(): string {
  let namespace = ''
  try {
    namespace = readlinkSync('/proc/self/ns/pid')
  } catch {
    // Only Linux has it.
  }
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8)
}

const partName = (target: string): string =>
  `.${path.basename(target).slice(0, NAME_LENGTH)}.${machine()}.${process.pid}.${randomBytes(6).toString('hex')}${SUFFIX}`

/** Parts that this process is writing. */
const writing = new Set<string>()

function removeNow(): void {
  for (const part of writing) {
    try {
      unlinkSync(part)
    } catch {
      // Nothing more can be done for it at this point.
    }
  }
  writing.clear()
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function interrupted(signal: NodeJS.Signals): void {
  removeNow()
  unwatch()
  // Now without a listener: the process ends as it would have, and its parent sees why.
  process.kill(process.pid, signal)
}

function watch(): void {
  for (const signal of SIGNALS) process.on(signal, interrupted)
  process.on('exit', removeNow)
}

function unwatch(): void {
  for (const signal of SIGNALS) process.off(signal, interrupted)
  process.off('exit', removeNow)
}

function begun(part: string): void {
  if (writing.size === 0) watch()
  writing.add(part)
}

function ended(part: string): void {
  writing.delete(part)
  if (writing.size === 0) unwatch()
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

/** Clocks of file systems may differ a little from that of the machine. */
const MINUTE = 60 * 1000

/**
 * Whether nobody can be writing a part any more. One of another machine is given a day without a write. One with the
 * number of this process is another thread's, or of a process before it that had the same number, as in containers.
 */
async function abandoned(part: string): Promise<boolean> {
  const [, where, digits] = PATTERN.exec(part)!
  const pid = Number(digits)
  const age = async (): Promise<number> => Date.now() - (await stat(part)).mtimeMs
  if (where !== machine()) return (await age()) > DAY
  if (pid !== process.pid) return !lives(pid)
  return !writing.has(part) && (await age()) > process.uptime() * 1000 + MINUTE
}

/** Whether a name is that of a file that is being written, or was when its process was killed. */
export const isPart = (name: string): boolean => PATTERN.test(name)

/**
 * Removes what processes that are gone left in a folder. It is no error when that fails: somebody else may do the same.
 */
export async function clearAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(isPart)) {
    const part = path.join(folder, name)
    try {
      if (await abandoned(part)) await unlink(part)
    } catch {
      // Gone already, or not ours to remove.
    }
  }
}

/** What the new file takes over from the one it replaces. */
export interface Replaced {
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

async function likeBefore(handle: FileHandle, { mode, uid, gid }: Replaced): Promise<void> {
  // Only root may give files away, not on every file system; giving away clears bits of the mode.
  if (process.getuid?.() === 0) await handle.chown(uid, gid).catch(() => {})
  await handle.chmod(mode & 0o7777)
}

export class PartFile {
  readonly handle: FileHandle
  readonly #target: string
  readonly #part: string

  private constructor(handle: FileHandle, target: string, part: string) {
    this.handle = handle
    this.#target = target
    this.#part = part
  }

  /** Begins a file that will be at `target`, a path without links at its end. */
  static async begin(target: string, replaced: Replaced | undefined): Promise<PartFile> {
    await clearAbandoned(path.dirname(target))
    return PartFile.beside(target, replaced)
  }

  /** The same for one of many files in a folder, which is cleared once for all of them. */
  static async beside(target: string, replaced?: Replaced): Promise<PartFile> {
    const part = path.join(path.dirname(target), partName(target))
    begun(part)
    try {
      const handle = await open(part, 'wx', replaced === undefined ? 0o666 : 0o600)
      const file = new PartFile(handle, target, part)
      if (replaced !== undefined) await likeBefore(handle, replaced).catch((error) => file.#failed(error))
      return file
    } catch (error) {
      ended(part)
      throw error
    }
  }

  async #failed(error: unknown): Promise<never> {
    await this.abort()
    throw error
  }

  /** Puts the file in its place. */
  async finish(): Promise<void> {
    try {
      await this.handle.close()
      await rename(this.#part, this.#target)
      ended(this.#part)
    } catch (error) {
      await this.#failed(error)
    }
  }

  async abort(): Promise<void> {
    await this.handle.close().catch(() => {})
    await unlink(this.#part).catch(() => {})
    ended(this.#part)
  }
}
