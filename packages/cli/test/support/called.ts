// The built program in this process, for calls by the dozen: most of what a process of its own takes is its start. That
// the program is the same there is shown by the first example of every command, which runs in a process.
import { PassThrough, Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { type Call, type Outcome, program } from './program.ts'

/** What of this process the program sees, with another in its place until `restore`. */
function replaced(properties: PropertyDescriptorMap): () => void {
  const before = Object.entries(properties).map(([name, descriptor]) => {
    const own = Object.getOwnPropertyDescriptor(process, name)!
    Object.defineProperty(process, name, { configurable: true, enumerable: true, ...descriptor })
    return [name, own] as const
  })
  return () => {
    for (const [name, own] of before) Object.defineProperty(process, name, own)
  }
}

/** A stream that keeps what is written to it. */
function kept(): { readonly stream: PassThrough; readonly text: () => string } {
  const stream = new PassThrough()
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

let calls = 0

/** What a process would have given; one call at a time, for they share the folder and the exit code. */
export async function called(args: readonly string[], { cwd, input = '', env }: Call = {}): Promise<Outcome> {
  const [stdout, stderr] = [kept(), kept()]
  const { NO_COLOR: _, FORCE_COLOR: __, COLUMNS: ___, ...plain } = process.env
  const listeners = process.listeners('uncaughtException')
  const [folder, exitCode] = [process.cwd(), process.exitCode]
  const restore = replaced({
    argv: { value: [process.execPath, program, ...args] },
    env: { value: { ...plain, ...env } },
    stdin: { value: Readable.from([Buffer.from(input)]) },
    stdout: { value: stdout.stream },
    stderr: { value: stderr.stream },
  })
  process.exitCode = undefined
  try {
    if (cwd !== undefined) process.chdir(cwd)
    // Its first file is executed again under another name; the modules that it loads are there already.
    await import(`${pathToFileURL(program)}?${calls++}`)
    return { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.chdir(folder)
    restore()
    process.exitCode = exitCode
    for (const listener of process.listeners('uncaughtException')) {
      if (!listeners.includes(listener)) process.off('uncaughtException', listener)
    }
  }
}
