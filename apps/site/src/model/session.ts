// The model that is open, on the side of the page: what its worker said last, and what it is asked. Opening another one
// or cancelling ends the worker, whatever it is at.
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import { download } from '../parts/download.ts'
import { state } from '../state/store.ts'
import type { Asked, Said, Written, WrittenFile } from './protocol.ts'
import type { ModelReport } from './report.ts'

export type Session =
  | { readonly kind: 'none'; readonly said?: string }
  | { readonly kind: 'working'; readonly file: string; readonly text: string; readonly done: number | undefined }
  | { readonly kind: 'checked'; readonly report: ModelReport }
  | { readonly kind: 'failed'; readonly file: string; readonly text: string }

const current = signal<Session>({ kind: 'none' })
export const session: ReadonlySignal<Session> = current

/** What is being written, and what was said of it. */
export const writing = signal<Written | undefined>(undefined)
export const writtenNotes = signal<
  { readonly name: string; readonly text: string; readonly failed: boolean } | undefined
>(undefined)

let worker: Worker | undefined
/** What the worker was asked to hold the model against last. */
let profile: string | undefined

const ask = (asked: Asked): void => worker?.postMessage(asked)

function end(): void {
  worker?.terminate()
  worker = undefined
  writing.value = undefined
  writtenNotes.value = undefined
}

function take({ name, type, content, notes }: WrittenFile): void {
  download(new Blob([content], { type }), name)
  writtenNotes.value = { name, text: notes, failed: false }
}

function hear(said: Said, file: string): void {
  switch (said.kind) {
    case 'step':
      current.value = { kind: 'working', file, text: said.text, done: said.done }
      return
    case 'report':
      current.value = { kind: 'checked', report: said.report }
      return
    case 'failed':
      end()
      current.value = { kind: 'failed', file, text: said.text }
      return
    case 'written':
      writing.value = undefined
      take(said.file)
      return
    case 'unwritten':
      writing.value = undefined
      writtenNotes.value = { name: said.what, text: said.text, failed: true }
  }
}

const STOPPED =
  'The check stopped, perhaps because the browser has no more memory. On a command line there is more: bcast check.'

/** Checks a model; the other files may hold its weights. */
export function openModel(model: File, beside: readonly File[]): void {
  end()
  const own = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  worker = own
  own.onmessage = ({ data }: MessageEvent<Said>) => {
    if (worker === own) hear(data, model.name)
  }
  own.onerror = () => {
    if (worker === own) hear({ kind: 'failed', text: STOPPED }, model.name)
  }
  current.value = { kind: 'working', file: model.name, text: 'Starting', done: undefined }
  profile = state.peek().profile
  ask({ kind: 'check', model, beside, profile })
}

export function cancel(): void {
  end()
  current.value = { kind: 'none', said: 'The check was cancelled.' }
}

export function write(what: Written): void {
  writing.value = what
  writtenNotes.value = undefined
  ask({ kind: 'write', what })
}

// The profile is part of the address, so that going back changes it, too.
effect(() => {
  const wanted = state.value.profile
  if (worker === undefined || wanted === profile) return
  profile = wanted
  ask({ kind: 'profile', profile })
})
