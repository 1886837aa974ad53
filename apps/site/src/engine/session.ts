// The expression that the engine's view shows: its plan as soon as it is asked for, and its times when somebody wants
// them. Another expression ends what is under way.
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Inspection } from 'bcast/debug'
import type { EngineQuestion, Timed } from './compute.ts'
import type { Asked, Said } from './protocol.ts'

export interface EngineState {
  readonly question: EngineQuestion | undefined
  readonly inspection: Inspection | undefined
  readonly times: readonly Timed[]
  readonly isMeasuring: boolean
  readonly problem: string
}

const nothing: EngineState = { question: undefined, inspection: undefined, times: [], isMeasuring: false, problem: '' }
const current = signal<EngineState>(nothing)
export const engine: ReadonlySignal<EngineState> = current

let worker: Worker | undefined

/** Threads that an asynchronous call may use: memory is shared only where the page is isolated. */
export const threads: number = crossOriginIsolated ? Math.max(1, navigator.hardwareConcurrency) : 1

function hear(said: Said): void {
  const now = current.value
  switch (said.kind) {
    case 'inspected':
      current.value = { ...now, inspection: said.inspection }
      return
    case 'timed':
      current.value = { ...now, times: [...now.times, said.timed] }
      return
    case 'measured':
      current.value = { ...now, isMeasuring: false }
      return
    case 'failed':
      current.value = { ...now, isMeasuring: false, problem: said.text }
  }
}

function ask(asked: Asked): void {
  if (worker === undefined) {
    const own = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    own.onmessage = ({ data }: MessageEvent<Said>) => {
      if (worker === own) hear(data)
    }
    own.onerror = () => {
      if (worker === own)
        hear({ kind: 'failed', text: 'The computation stopped, perhaps because there is no more memory.' })
    }
    worker = own
  }
  worker.postMessage(asked)
}

const isSame = (a: EngineQuestion | undefined, b: EngineQuestion): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Shows another expression, unless it is the one that is shown. */
export function inspect(question: EngineQuestion): void {
  if (isSame(current.peek().question, question)) return
  if (current.peek().isMeasuring) stop()
  current.value = { ...nothing, question }
  ask({ kind: 'inspect', question, threads })
}

export function measure(): void {
  const { question } = current.value
  if (question === undefined) return
  current.value = { ...current.value, times: [], isMeasuring: true, problem: '' }
  ask({ kind: 'measure', question, threads })
}

/** Ends the worker, whatever it computes. */
export function stop(): void {
  worker?.terminate()
  worker = undefined
  current.value = { ...current.value, isMeasuring: false }
}
