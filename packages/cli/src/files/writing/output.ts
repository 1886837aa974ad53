// Where bytes go: a regular file, which appears when it is whole; or stdout, a pipe or a device, written as bytes come.
import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, open, readlink, stat } from 'node:fs/promises'
import path from 'node:path'
import { about, FileError } from '../../errors/file-error.ts'
import { shellWord } from '../../terminal/shell-word.ts'
import { PartFile } from './part-file.ts'
import { writeAll } from './write-all.ts'

export interface Output {
  /** Appends bytes, which may lie in shared memory. */
  write(bytes: Uint8Array): Promise<void>
  /** Overwrites bytes that were written before; undefined where bytes are gone once written. */
  readonly patch: ((position: number, bytes: Uint8Array) => Promise<void>) | undefined
  finish(): Promise<void>
  abort(): Promise<void>
}

function stdoutOutput(label: string): Output {
  // A failed write calls back and is also an event, which without a listener would end the process.
  const ignore = (): void => {}
  process.stdout.on('error', ignore)
  return {
    write: (bytes) =>
      about(
        label,
        () =>
          new Promise((resolve, reject) => {
            process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))
          }),
      ),
    patch: undefined,
    async finish() {},
    async abort() {},
  }
}

/** A pipe or device that is open for writing. */
function streamOutput(label: string, handle: FileHandle): Output {
  const close = (): Promise<void> => about(label, () => handle.close())
  return {
    write: (bytes) => about(label, () => writeAll(handle, bytes)),
    patch: undefined,
    finish: close,
    abort: close,
  }
}

function partOutput(label: string, part: PartFile): Output {
  return {
    write: (bytes) => about(label, () => writeAll(part.handle, bytes)),
    patch: (position, bytes) => about(label, () => writeAll(part.handle, bytes, position)),
    finish: () => about(label, () => part.finish()),
    abort: () => part.abort(),
  }
}

const LINKS = 40

/** Where symbolic links lead, so that a link stays one and what it points to is replaced; there may be nothing yet. */
async function behindLinks(label: string, file: string): Promise<string> {
  let target = path.resolve(file)
  for (let i = 0; i < LINKS; i++) {
    const link = await readlink(target).catch(() => undefined)
    if (link === undefined) return target
    target = path.resolve(path.dirname(target), link)
  }
  throw new FileError(label, 'its symbolic links lead in a circle.')
}

async function existing(target: string): Promise<Stats | undefined> {
  try {
    return await stat(target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function regularOutput(label: string, file: string, before: Stats | undefined): Promise<Output> {
  const target = await behindLinks(label, file)
  if (before !== undefined) {
    // Renaming would replace a protected file without asking.
    await access(target, constants.W_OK).catch(() => {
      throw new FileError(label, 'it is there and may not be written.', `Allow it: chmod u+w ${shellWord(file)}`)
    })
  }
  const folder = path.dirname(target)
  if ((await existing(folder)) === undefined) {
    throw new FileError(label, `there is no folder ${folder}.`, `Make it: mkdir -p ${shellWord(folder)}`)
  }
  return partOutput(label, await PartFile.begin(target, before))
}

export const isStdout = (file: string): boolean => file === '-' || file === '/dev/stdout' || file === '/dev/fd/1'

/** Opens a place for bytes; `-` is stdout. */
export function openOutput(label: string, file: string): Promise<Output> {
  return about(label, async () => {
    if (isStdout(file)) return stdoutOutput(label)
    const before = await existing(file)
    if (before?.isDirectory()) throw new FileError(label, 'it is a folder.', 'Name a file in it.')
    if (before === undefined || before.isFile()) return regularOutput(label, file, before)
    return streamOutput(label, await open(file, 'w'))
  })
}
