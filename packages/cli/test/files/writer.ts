// A process that writes an array slowly, to be interrupted. Arguments: the file, the number of elements, milliseconds
// between runs, and perhaps the user to become.
import { setTimeout } from 'node:timers/promises'
import { FileError } from '../../src/errors/file-error.ts'
import { openSink } from '../../src/files/open.ts'

const [file, count, pause] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])]
const [, , , , , user] = process.argv
const RUN = 1000

if (user !== undefined) process.setuid!(Number(user))

try {
  const sink = await openSink(file, { dtype: 'float32', shape: [count] })
  for (let start = 0; start < count; start += RUN) {
    await sink.write(new Float32Array(Math.min(RUN, count - start)).fill(7))
    process.stderr.write(start === 0 ? 'begun\n' : '')
    await setTimeout(pause)
  }
  await sink.finish()
} catch (error) {
  if (!(error instanceof FileError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
