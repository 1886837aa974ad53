// Where results go: stdout, or a file that appears whole or not at all.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'

/** Whether something that is no plain file has this name, such as a pipe or /dev/null; that is written to as it is. */
function isSpecial(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile()
}

/** Writes a file beside its place and renames it, so that nobody sees half of it, and a failure leaves what was there. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  if (isSpecial(file)) {
    writeFileSync(file, content)
    return
  }
  const beside = `${file}.${randomBytes(4).toString('hex')}.part`
  try {
    const descriptor = openSync(beside, 'wx')
    try {
      writeFileSync(descriptor, content)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(beside, file)
  } catch (error) {
    // The name that was asked for tells more than the one beside it.
    if (error instanceof Error && 'path' in error) error.path = file
    try {
      unlinkSync(beside)
    } catch {
      // It was never made.
    }
    throw error
  }
}

/** Text to a file, or to stdout without one or with `-`. */
export function writeText(text: string, file: string | undefined): void {
  const whole = text.endsWith('\n') ? text : `${text}\n`
  if (file === undefined || file === '-') process.stdout.write(whole)
  else writeWhole(file, whole)
}
