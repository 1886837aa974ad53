// Tables that fit a phone: every cell knows the header of its column, so that the cells of a row can stand below each
// other there. Tables of many columns stay as they are and scroll.
import type { Token } from 'markdown-it'
import { plainText } from './tokens.ts'

const FEWEST = 3
const MOST = 6

/** Marks the cells of tables, and the tables whose rows can be stacked. */
export function labelTables(tokens: readonly Token[]): void {
  let [table, headers, column]: [Token | undefined, string[], number] = [undefined, [], 0]
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'table_open') [table, headers] = [token, []]
    if (token.type === 'tr_open') column = 0
    if (token.type === 'th_open') headers.push(plainText(tokens[i + 1]!))
    if (token.type === 'thead_close' && headers.length >= FEWEST && headers.length <= MOST) {
      table!.attrSet('class', 'stacked')
    }
    if (token.type === 'td_open') token.attrSet('data-label', headers[column++] ?? '')
  }
}
