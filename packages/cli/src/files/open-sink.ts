// From what the user wrote to a place for a result.
import { statSync } from 'node:fs'
import { FileError } from '../errors/file-error.ts'
import { fileBytes } from './bytes/bytes.ts'
import { countOf } from './element.ts'
import { type Encoding, encodings, type Format, formatOrders } from './formats.ts'
import { npzOutput } from './npz-write.ts'
import { outputPlace, type Place } from './place.ts'
import type { ArrayDescription, ArraySink } from './sink.ts'
import type { Order } from './source.ts'
import { isStdout, type Output, openOutput } from './writing/output.ts'

/** The name that np.savez gives to an array without one. */
const MEMBER = 'arr_0'

/** An archive is written anew, so one with other arrays in it is not overwritten. */
async function checkNoOthers(label: string, path: string, member: string): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return
  const { npzMembers } = await import('./npz.ts')
  const archive = await fileBytes(label, path)
  try {
    const others = (await npzMembers(label, archive)).filter((name) => name !== member)
    if (others.length === 0) return
    throw new FileError(
      label,
      `the archive there has other arrays, which would be lost: ${others.join(', ')}.`,
      'Name a new file.',
    )
  } finally {
    await archive.close()
  }
}

function checkTerminal({ label, path, format }: Place): void {
  if (!isStdout(path) || format === 'json' || !process.stdout.isTTY) return
  throw new FileError(
    label,
    'stdout is a terminal, which binary data would garble.',
    'Send it to a file or a pipe, or write text: -:json.',
  )
}

/** Counts elements, so that a file has as many as its shape says. */
function sinkOver(label: string, output: Output, encoding: Encoding, count: number): ArraySink {
  let written = 0
  let settled = false
  const abort = async (): Promise<void> => {
    if (settled) return
    settled = true
    await output.abort()
  }
  const orAbort = async (use: () => Promise<void>): Promise<void> => {
    try {
      await use()
    } catch (error) {
      await abort()
      throw error
    }
  }
  return {
    write: (elements) =>
      orAbort(async () => {
        written += elements.length
        if (written > count) throw new RangeError(`${label}: ${written} elements written where ${count} belong`)
        for (const bytes of encoding.elements(elements)) await output.write(bytes)
      }),
    finish: () =>
      orAbort(async () => {
        if (written < count) throw new RangeError(`${label}: ${written} elements written where ${count} belong`)
        await output.write(encoding.end())
        await output.finish()
        settled = true
      }),
    abort,
  }
}

async function formatted(place: Place & { readonly format: Format }, description: ArrayDescription): Promise<Output> {
  const { label, path, format, member = MEMBER } = place
  if (format !== 'npz') return openOutput(label, path)
  const { memberFile } = await import('./npz.ts')
  const file = memberFile(label, member)
  await checkNoOthers(label, path, member)
  const output = await openOutput(label, path)
  return abortedOnError(output, () => npzOutput(label, output, file, description))
}

async function abortedOnError<T>(output: Output, use: () => Promise<T>): Promise<T> {
  try {
    return await use()
  } catch (error) {
    await output.abort()
    throw error
  }
}

/**
 * Opens a place for a result: `y.npy`, `y.npz`, `y.npz:name`, `y.json`, `y.pb`, `y.bin` (raw) by the extension, `-` for
 * .npy on stdout (and /dev/…); `:npy`, `:json`, `:pb`, `:raw` behind any name says the format (`-:json`). A regular
 * file is written beside its place and renamed by `finish`, so it may be one that is being read.
 */
export async function openSink(spec: string, description: ArrayDescription): Promise<ArraySink> {
  const place = outputPlace(spec)
  checkTerminal(place)
  const encoding = await encodings[place.format](place.label, description)
  const start = encoding.begin()
  const output = await formatted(place, description)
  await abortedOnError(output, () => output.write(start))
  return sinkOver(place.label, output, encoding, countOf(description.shape))
}

/** The orders in which a place can take a result. */
export const ordersOf = (spec: string): readonly Order[] => formatOrders(outputPlace(spec).format)
