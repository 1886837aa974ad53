// The search: the index that was made while building, and a list that follows what is typed. Arrows go through it.
import MiniSearch, { type SearchResult } from 'minisearch'
import { type Indexed, searchOptions } from './search-options.ts'

const MOST_SHOWN = 12

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** What has the very name comes first, however it is typed, then what begins with it. */
function ranked(index: MiniSearch<Indexed>, query: string): SearchResult[] {
  const asked = plain(query)
  return index.search(query, {
    boostDocument: (_, __, stored) => {
      const title = plain(String(stored?.['title']))
      return title === asked ? 8 : title.startsWith(asked) ? 2 : 1
    },
  })
}

let started: Promise<void> | undefined

function item({ id, title, page, lead }: SearchResult): HTMLLIElement {
  const [li, a] = [document.createElement('li'), document.createElement('a')]
  const [name, where, text] = ['b', 'span', 'span'].map((tag) => document.createElement(tag))
  name!.textContent = title
  where!.textContent = title === page ? '' : page
  where!.className = 'where'
  text!.textContent = lead
  text!.className = 'lead'
  a.href = id
  a.append(name!, ' ', where!, text!)
  li.append(a)
  return li
}

async function load(dialog: HTMLDialogElement): Promise<void> {
  const [input, status, results] = ['input', '.status', '.results'].map((of) => dialog.querySelector(of)) as [
    HTMLInputElement,
    HTMLElement,
    HTMLOListElement,
  ]
  status.textContent = 'Loading the index…'
  const answer = await fetch('search.json').catch(() => undefined)
  if (answer?.ok !== true) {
    status.textContent = 'The index of the search could not be loaded. Close and try again.'
    started = undefined
    return
  }
  const index = MiniSearch.loadJSON(await answer.text(), searchOptions)
  const show = (): void => {
    const query = input.value.trim()
    const found = query === '' ? [] : ranked(index, query)
    results.replaceChildren(...found.slice(0, MOST_SHOWN).map(item))
    status.textContent =
      query === ''
        ? 'Names, rules, errors, operators'
        : found.length === 0
          ? `Nothing is found for ${query}.`
          : `${found.length} found`
  }
  const links = (): HTMLAnchorElement[] => [...results.querySelectorAll('a')]
  input.addEventListener('input', show)
  dialog.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const all: HTMLElement[] = [input, ...links()]
    if (event.key === 'Enter' && event.target === input) {
      event.preventDefault()
      links()[0]?.click()
    }
    if (step === 0) return
    event.preventDefault()
    const at = all.indexOf(document.activeElement as HTMLElement)
    all[(at + step + all.length) % all.length]!.focus()
  })
  // A result on this very page does not load it again.
  results.addEventListener('click', () => dialog.close())
  show()
}

/** Makes the dialog search, once. */
export function startSearch(dialog: HTMLDialogElement): Promise<void> {
  started ??= load(dialog)
  return started
}
