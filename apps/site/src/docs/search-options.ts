// How texts become words of the search, for who makes the index and for who asks it.
import type { Options } from 'minisearch'

export interface Indexed {
  /** The page and the anchor on it. */
  readonly id: string
  readonly title: string
  /** The title of the page. */
  readonly page: string
  /** The beginning of the text. */
  readonly lead: string
  readonly text: string
}

export const searchOptions: Options<Indexed> = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'lead'],
  // `broadcastShapes` is found by its parts, too.
  tokenize: (text) => {
    const words = text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '')
    const parts = words.map((word) => word.split(/(?<=[a-z])(?=[A-Z])/))
    return words.flatMap((word, i) => (parts[i]!.length > 1 ? [word, ...parts[i]!] : [word]))
  },
  searchOptions: {
    boost: { title: 4, page: 2 },
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
}
