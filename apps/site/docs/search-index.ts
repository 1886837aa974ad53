// The index of the search, made while building: an entry for every heading of a text and every name of the reference.
import MiniSearch from 'minisearch'
import { searchOptions } from '../src/docs/search-options.ts'
import type { SearchedPart } from './markdown.ts'

const MOST_LEAD = 110

export interface SearchedPage {
  readonly file: string
  readonly title: string
  readonly parts: readonly SearchedPart[]
  /** The first part is the page itself. */
  readonly beginsWithTitle: boolean
}

/** As JSON. */
export function searchIndex(pages: readonly SearchedPage[]): string {
  const index = new MiniSearch(searchOptions)
  for (const { file, title, parts, beginsWithTitle } of pages) {
    for (const [i, part] of parts.entries()) {
      const text = part.text.replace(/`/g, '').trim()
      const id = i === 0 && beginsWithTitle ? file : `${file}#${part.id}`
      index.add({ id, title: part.title, page: title, lead: text.slice(0, MOST_LEAD), text })
    }
  }
  return JSON.stringify(index)
}
