// Where reports and models go: stdout, or a file that appears whole or not at all.
import { openOutput } from './output.ts'

/** Writes a file beside its place and renames it, so that nobody sees half of it, and a failure leaves what was there. */
export async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const output = await openOutput(file, file)
  try {
    await output.write(typeof content === 'string' ? Buffer.from(content) : content)
    await output.finish()
  } catch (error) {
    await output.abort()
    throw error
  }
}

/** Text to a file, or to stdout without one or with `-`. */
export async function writeText(text: string, file: string | undefined): Promise<void> {
  const whole = text.endsWith('\n') ? text : `${text}\n`
  if (file === undefined || file === '-') process.stdout.write(whole)
  else await writeWhole(file, whole)
}
