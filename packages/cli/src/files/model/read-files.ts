// What a command reads must not be what it writes: a report would take the place of the model that it is about, and a
// model that of its own weights.
import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { FileError } from '../../errors/file-error.ts'
import { isStdout } from '../writing/output.ts'

/** A file that a command reads. */
export interface ReadFile {
  readonly path: string
  /** What it is to the command, as `it is the model that is read`. */
  readonly what: string
}

/** Where a file is, behind links; for one that is not there, where it would be. */
export function realPlace(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    const whole = path.resolve(file)
    const folder = path.dirname(whole)
    return folder === whole ? whole : path.join(realPlace(folder), path.basename(whole))
  }
}

/** The same for every name of a file, hard links too. */
export function identityOf(file: string): string {
  try {
    const { dev, ino } = statSync(file, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return realPlace(file)
  }
}

/** Refuses an output that is one of the files which are read; `label` is what the user wrote for it. */
export function checkNotRead(output: string | undefined, read: readonly ReadFile[], label = output): void {
  if (output === undefined || isStdout(output)) return
  const own = identityOf(output)
  const found = read.find((each) => identityOf(each.path) === own)
  if (found !== undefined) throw new FileError(label!, `${found.what}, and would be replaced.`, 'Name another file.')
}
