// The kinds of pages in which a bundle is opened: headers that make the difference, and what must come of them.
import type { Browser, Visit } from './browser.ts'
import { type Checked, RESULT, saidByBcast, wrongWarnings } from './check.ts'
import { type Headers, headers } from './page.ts'

export interface PageKind {
  readonly name: string
  readonly headers: Headers
  /** Where its workers come from; undefined where it has none. */
  readonly workers?: RegExp
  readonly warnings: readonly RegExp[]
}

const FILE = /^http:/
const BLOB = /^blob:/
const policy = headers('policy')
const POLICY = 'Content-Security-Policy'
const isolated = headers('isolated')
const open = Object.fromEntries(Object.keys(isolated).map((name) => [name, '']))
/** The policy of the page without what lets WebAssembly be compiled. */
const strict = { [POLICY]: policy[POLICY]!.replace(" 'wasm-unsafe-eval'", '') }

const NOT_ISOLATED = /^bcast: worker threads do not run here, .* Cause: the page is not cross-origin isolated/
const NOT_LOADED = /^bcast: worker threads do not run here, .* Cause: neither bcast-worker\.js nor a blob: URL loads/
const NOT_COMPILED = /^bcast: WebAssembly cannot be compiled here/

/** Pages of a bundle that has the worker's file. */
export const pages: readonly PageKind[] = [
  { name: 'isolated', headers: isolated, workers: FILE, warnings: [] },
  { name: 'isolated, policy', headers: { ...isolated, ...policy }, workers: FILE, warnings: [] },
  { name: 'not isolated', headers: open, warnings: [NOT_ISOLATED] },
  { name: 'not isolated, policy', headers: { ...open, ...policy }, warnings: [NOT_ISOLATED] },
  { name: 'no WebAssembly', headers: { ...isolated, ...strict }, warnings: [NOT_COMPILED] },
]

/** Pages of a bundle that has none. */
export const pagesWithoutFile: readonly PageKind[] = [
  { name: 'isolated', headers: isolated, workers: BLOB, warnings: [] },
  { name: 'isolated, policy', headers: { ...isolated, ...policy }, warnings: [NOT_LOADED] },
  { name: 'not isolated', headers: open, warnings: [NOT_ISOLATED] },
]

/** A server that sends its own headers; threads may start from wherever it has them. */
export const asServed = (name: string): PageKind => ({ name, headers: {}, workers: /^(http|blob):/, warnings: [] })

/** The same pages for a framework that writes scripts into its pages. */
export const withInlineScripts = (kinds: readonly PageKind[]): readonly PageKind[] =>
  kinds.map((kind) => {
    const own = kind.headers[POLICY]?.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'")
    return own === undefined ? kind : { ...kind, headers: { ...kind.headers, [POLICY]: own } }
  })

/** Opens an address and compares. `own`: workers that the page's program starts itself. */
export async function checkPage(
  browser: Browser,
  what: string,
  kind: PageKind,
  origin: string,
  own: number,
): Promise<Checked> {
  const visit = await browser.visit(origin, (title) => title === RESULT)
  const workers = visit.workers.length - own
  const seen = `${visit.title}, ${workers} workers, ${saidByBcast(visit.warnings).length} warnings`
  const wrong = wrongVisit(kind, visit, own)
  return wrong === undefined ? { what, where: kind.name, seen } : { what, where: kind.name, seen, wrong }
}

function wrongVisit(kind: PageKind, visit: Visit, own: number): string | undefined {
  const threads = visit.workers.filter((url) => (kind.workers ?? FILE).test(url)).length - own
  if (visit.errors.length > 0) return visit.errors.join(' | ')
  if (visit.title !== RESULT) return `gave "${visit.title}", not "${RESULT}"`
  const isIsolated = kind.headers['Cross-Origin-Opener-Policy'] !== ''
  if (visit.isolated !== isIsolated) return isIsolated ? 'is not isolated' : 'is isolated'
  if (kind.workers !== undefined && threads < 1) return `has workers [${visit.workers.join()}], none of ${kind.workers}`
  if (kind.workers === undefined && visit.workers.length > own) return `has workers [${visit.workers.join()}]`
  return wrongWarnings(saidByBcast(visit.warnings), kind.warnings)
}
