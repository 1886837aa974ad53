// The state as the page holds it: one signal, changed by `update` alone, which keeps the address and the history.
import { effect, type ReadonlySignal, signal } from '@preact/signals'
import type { State } from './state.ts'
import { fromUrl, MOST_TEXT, toUrl } from './url.ts'

const opened = fromUrl(location.hash)
const current = signal<State>(opened.state)

export const state: ReadonlySignal<State> = current

/** What was wrong with the address. */
export const addressProblems = signal<readonly string[]>(opened.problems)

/** What stands for a text that is too long for an address: the message that was found in it. */
export const shortText = signal<string | undefined>(undefined)

/** What was changed last, so that typing is one step of the history and not one for each key. */
let burst: string | undefined

const addressOf = (next: State): string =>
  toUrl(next, next.text.length > MOST_TEXT ? (shortText.value ?? next.text.slice(0, MOST_TEXT)) : next.text)

/** Browsers refuse addresses that change too often. */
function remember(address: string, isNew: boolean): void {
  try {
    if (isNew) history.pushState(null, '', address)
    else history.replaceState(null, '', address)
  } catch {
    // The page goes on; only the address stays behind.
  }
}

/** Changes the state. Changes of the same `kind` in a row are one step back. */
export function update(change: (state: State) => State, kind?: string): void {
  const next = change(current.value)
  const isNew = kind === undefined || kind !== burst
  burst = kind
  current.value = next
  addressProblems.value = []
  remember(addressOf(next), isNew)
}

/** The address of what is shown. */
export const link = (): string => new URL(addressOf(current.value), location.href).href

addEventListener('popstate', () => {
  const { state: back, problems } = fromUrl(location.hash)
  burst = undefined
  current.value = back
  addressProblems.value = problems
})

// The message of a long log is found after the address was written.
effect(() => {
  if (shortText.value !== undefined && current.peek().text.length > MOST_TEXT)
    remember(addressOf(current.peek()), false)
})
