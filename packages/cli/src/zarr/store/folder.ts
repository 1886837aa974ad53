// A store in a folder: an object is a file. It is written beside its place and renamed, so that whoever reads sees the
// old one, none, or the whole new one.
import { mkdir, readdir, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import { about } from '../../errors/file-error.ts'
import { type Bytes, fileBytes } from '../../files/bytes/bytes.ts'
import { clearAbandoned, isPart, PartFile } from '../../files/writing/part-file.ts'
import { writeAll } from '../../files/writing/write-all.ts'
import { namesInside } from '../inside.ts'
import type { Range, StoredObject, WritableStore } from './store.ts'
import { tooLarge } from './too-large.ts'

const isAbsent = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '')

export class FolderStore implements WritableStore {
  readonly label: string
  readonly lists = true
  readonly #folder: string
  /** Folders that are there and cleared of what killed processes left. */
  readonly #ready = new Map<string, Promise<void>>()

  constructor(label: string, folder: string) {
    this.label = label
    this.#folder = path.resolve(folder)
  }

  #file(key: string): string {
    return path.join(this.#folder, ...namesInside(this.label, key))
  }

  /** What `use` says of a file or a folder, and `otherwise` where there is none, or none any more. */
  #found<T, U>(key: string, use: () => Promise<T>, otherwise: U): Promise<T | U> {
    return about(`${this.label}: ${key}`, async () => {
      try {
        return await use()
      } catch (error) {
        if (isAbsent(error)) return otherwise
        throw error
      }
    })
  }

  async open(key: string): Promise<Bytes | undefined> {
    const file = this.#file(key)
    try {
      return await fileBytes(`${this.label}: ${key}`, file)
    } catch (error) {
      if (isAbsent((error as Error).cause)) return undefined
      throw error
    }
  }

  /** Runs `use` on a file; undefined where there is none. */
  async #opened<T>(key: string, use: (bytes: Bytes) => Promise<T>): Promise<T | undefined> {
    const bytes = await this.open(key)
    if (bytes === undefined) return undefined
    try {
      return await use(bytes)
    } finally {
      await bytes.close()
    }
  }

  get(key: string, most: number = Number.POSITIVE_INFINITY): Promise<Uint8Array | undefined> {
    return this.#opened(key, async (bytes) => {
      if (bytes.size > most) throw tooLarge(this.label, key, bytes.size, most)
      // Not filled with zeros: it is read whole, or fails.
      const whole = new Uint8Array(Buffer.allocUnsafeSlow(bytes.size).buffer)
      await bytes.read(0, whole)
      return whole
    })
  }

  getRange(key: string, range: Range): Promise<Uint8Array | undefined> {
    return this.#opened(key, async (bytes) => {
      const offset = 'suffix' in range ? Math.max(0, bytes.size - range.suffix) : Math.min(range.offset, bytes.size)
      const length = 'suffix' in range ? bytes.size - offset : Math.min(range.length, bytes.size - offset)
      const part = new Uint8Array(length)
      await bytes.read(offset, part)
      return part
    })
  }

  has(key: string): Promise<boolean> {
    return this.#found(key, async () => (await stat(this.#file(key))).isFile(), false)
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    for (const entry of await this.#found(prefix, () => readdir(this.#file(prefix), { withFileTypes: true }), [])) {
      const key = `${prefix}${entry.name}`
      if (entry.isDirectory()) yield* this.list(`${key}/`)
      else if (!isPart(entry.name)) {
        const found = await this.#found(key, () => stat(this.#file(key)), undefined)
        if (found !== undefined) yield { key, bytes: found.size }
      }
    }
  }

  #prepare(folder: string): Promise<void> {
    const before = this.#ready.get(folder)
    if (before !== undefined) return before
    const ready = this.#make(folder).then(() => clearAbandoned(folder))
    this.#ready.set(folder, ready)
    ready.catch(() => this.#ready.delete(folder))
    return ready
  }

  /** The store itself is there: who is late does not bring back one that was renamed or removed. */
  async #make(folder: string): Promise<void> {
    await stat(this.#folder)
    await mkdir(folder, { recursive: true })
  }

  async #begin(file: string): Promise<PartFile> {
    const folder = path.dirname(file)
    await this.#prepare(folder)
    try {
      return await PartFile.beside(file)
    } catch (error) {
      if (!isAbsent(error)) throw error
      // Whoever begins anew has removed the folder since.
      this.#ready.delete(folder)
      await this.#prepare(folder)
      return await PartFile.beside(file)
    }
  }

  set(key: string, bytes: Uint8Array): Promise<void> {
    return about(`${this.label}: ${key}`, async () => {
      const part = await this.#begin(this.#file(key))
      try {
        await writeAll(part.handle, bytes)
        await part.finish()
      } catch (error) {
        await part.abort()
        throw error
      }
    })
  }

  delete(key: string): Promise<void> {
    return this.#found(key, () => unlink(this.#file(key)), undefined)
  }

  async close(): Promise<void> {}
}
