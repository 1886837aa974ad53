// The worker that checks a model: it keeps the model, so that the page never has to, and says how far it is. Whoever has
// waited long enough ends it.
import type { Checked } from './checker.ts'
import type { Asked, Said, Written } from './protocol.ts'

const say = (said: Said, transfer: Transferable[] = []): void => postMessage(said, { transfer })

let checked: Checked | undefined

const checker = (): Promise<typeof import('./checker.ts')> => import('./checker.ts')

async function check(asked: Extract<Asked, { kind: 'check' }>): Promise<void> {
  say({ kind: 'step', text: 'Loading the checker' })
  const { check: run, shownOf } = await checker()
  checked = await run(asked, (text, done) => say({ kind: 'step', text, ...(done === undefined ? {} : { done }) }))
  say({ kind: 'report', report: shownOf(checked) })
}

async function recheck(profile: string): Promise<void> {
  const { recheck: run, shownOf } = await checker()
  if (checked === undefined) return
  checked = run(checked, profile)
  say({ kind: 'report', report: shownOf(checked) })
}

async function write(what: Written): Promise<void> {
  const { fileOf } = await checker()
  if (checked === undefined) return
  try {
    const file = fileOf(checked, what)
    say({ kind: 'written', file }, typeof file.content === 'string' ? [] : [file.content.buffer])
  } catch (error) {
    say({ kind: 'unwritten', what, text: (error as Error).message })
  }
}

async function answer(asked: Asked): Promise<void> {
  if (asked.kind === 'check') return check(asked)
  return asked.kind === 'profile' ? recheck(asked.profile) : write(asked.what)
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  // Errors of the library are sentences, and so are those of reading.
  answer(data).catch((error: Error) => say({ kind: 'failed', text: error.message }))
})
