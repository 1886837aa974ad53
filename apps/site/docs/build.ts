// The documentation as a folder of pages: texts of the repository and the reference, the index of the search, one style
// sheet and the few scripts that a page has.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, transform } from 'esbuild'
import { paletteCss } from '../src/picture/palette-css.ts'
import { apiPages, linkFrom } from './api/entries.ts'
import { writeApi } from './api/write.ts'
import { type LaidOut, type NavSection, pageHtml } from './layout.ts'
import { writeMarkdown } from './markdown.ts'
import { type Page, sections } from './pages.ts'
import type { PageFile } from './picture-html.ts'
import { textOf } from './repository.ts'
import { type SearchedPage, searchIndex } from './search-index.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

interface Made extends LaidOut, SearchedPage {
  readonly files: ReadonlyMap<string, PageFile>
}

const nav: readonly NavSection[] = [
  ...sections,
  ...[...new Set(apiPages.map(({ entry }) => entry.replace(/^(bcast|@bcast\/\w+)\/.*/, '$1')))].map((name) => ({
    title: `Reference: ${name}`,
    pages: apiPages.filter(({ entry }) => entry === name || entry.startsWith(`${name}/`)),
  })),
]

function madeOf({ source, file, title, headingsOnly = false }: Page): Made {
  const written = writeMarkdown(source, textOf(source), { nameLink: linkFrom('bcast') })
  const parts = headingsOnly ? written.parts.map((part) => ({ ...part, text: '' })) : written.parts
  return { ...written, source, file, title, parts, beginsWithTitle: true }
}

const madePages = (): Made[] => [
  ...sections.flatMap(({ pages }) => pages.map(madeOf)),
  ...apiPages.map((page) => ({
    ...writeApi(page),
    ...{ file: page.file, source: undefined, files: new Map<string, PageFile>(), beginsWithTitle: false },
  })),
]

/** Everything but scripts and styles, by the names of the files: pages, their pictures, the index of the search. */
export function docsFiles(): ReadonlyMap<string, PageFile> {
  const pages = madePages()
  return new Map<string, PageFile>([
    ...pages.map((page) => [page.file, pageHtml(nav, page)] as const),
    ...pages.flatMap(({ files }) => [...files]),
    ['search.json', searchIndex(pages)] as const,
  ])
}

/** Scripts as browsers take them: what sets the theme runs before the page is drawn, the rest when it is there. */
async function writeScripts(into: string): Promise<void> {
  const common = { bundle: true, minify: true, target: 'es2022', outdir: into, logLevel: 'warning' } as const
  await build({ ...common, entryPoints: [here('../src/docs/theme.ts')], format: 'iife' })
  await build({
    ...common,
    entryPoints: [here('../src/docs/docs.ts')],
    format: 'esm',
    splitting: true,
    chunkNames: '[name]',
  })
}

export async function writeDocs(into: string): Promise<void> {
  for (const [name, content] of docsFiles()) {
    mkdirSync(dirname(join(into, name)), { recursive: true })
    writeFileSync(join(into, name), content)
  }
  const css = `${paletteCss()}\n${readFileSync(here('docs.css'), 'utf8')}`
  writeFileSync(join(into, 'docs.css'), (await transform(css, { loader: 'css', minify: true })).code)
  await writeScripts(into)
}
