// The worker of the engine's view, so that the page never waits for a computation.
import type { Asked, Said } from './protocol.ts'

const say = (said: Said): void => postMessage(said)

async function answer({ kind, question, threads }: Asked): Promise<void> {
  const { inspected, measured } = await import('./compute.ts')
  if (kind === 'inspect') {
    say({ kind: 'inspected', inspection: inspected(question, threads) })
    return
  }
  await measured(question, threads, (timed) => say({ kind: 'timed', timed }))
  say({ kind: 'measured' })
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  // Errors of the library and of the language are sentences.
  answer(data).catch((error: Error) => say({ kind: 'failed', text: error.message }))
})
