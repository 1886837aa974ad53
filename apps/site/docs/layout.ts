// What every page of the documentation has around its text: the way to the playground, the search, the sidebar, what is
// on the page, and its neighbours. Addresses are relative, so that the folder works under any path.
import { policy } from '@bcast/cli/serve'
import { escaped } from './escape.ts'
import type { Heading } from './markdown.ts'
import { repository } from './repository.ts'

export interface NavPage {
  readonly file: string
  readonly title: string
}

export interface NavSection {
  readonly title: string
  readonly pages: readonly NavPage[]
}

export interface LaidOut {
  readonly file: string
  readonly title: string
  readonly description: string
  readonly html: string
  readonly headings: readonly Heading[]
  /** Where the text lies in the repository. */
  readonly source: string | undefined
}

const MOST_DESCRIPTION = 155

const shortened = (text: string): string =>
  text.length <= MOST_DESCRIPTION ? text : `${text.slice(0, MOST_DESCRIPTION).replace(/\s+\S*$/, '')}…`

const sidebar = (nav: readonly NavSection[], current: string): string =>
  nav
    .map(({ title, pages }) => {
      const links = pages.map(({ file, title: own }) => {
        const here = file === current ? ' aria-current="page"' : ''
        return `<li><a href="${file}"${here}>${escaped(own)}</a></li>`
      })
      const isReference = pages.some(({ file }) => file.startsWith('api-'))
      const isOpen = !isReference || pages.some(({ file }) => file === current)
      const list = `<ul>${links.join('')}</ul>`
      return isReference
        ? `<details${isOpen ? ' open' : ''}><summary>${escaped(title)}</summary>${list}</details>`
        : `<p class="group">${escaped(title)}</p>${list}`
    })
    .join('\n')

const contents = (headings: readonly Heading[]): string => {
  const shown = headings.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escaped(text)}</a></li>`,
  )
  return `<nav class="contents" aria-labelledby="contents"><p class="group" id="contents">On this page</p><ul>${items.join('')}</ul></nav>`
}

function neighbours(nav: readonly NavSection[], current: string): string {
  const all = nav.flatMap(({ pages }) => pages)
  const at = all.findIndex(({ file }) => file === current)
  const link = (page: NavPage | undefined, rel: string, word: string): string =>
    page === undefined
      ? '<span></span>'
      : `<a rel="${rel}" class="${rel}" href="${page.file}"><span>${word}</span> ${escaped(page.title)}</a>`
  return `<nav class="neighbours" aria-label="Previous and next page">${link(all[at - 1], 'prev', 'Previous')}${link(all[at + 1], 'next', 'Next')}</nav>`
}

const search = `<dialog class="search" aria-label="Search">
<form method="dialog" role="search"><label class="unseen" for="query">Search the documentation</label>
<input id="query" type="search" autocomplete="off" spellcheck="false" placeholder="Search the documentation">
<button type="submit" class="plain">Close</button></form>
<p class="status" role="status"></p>
<ol class="results"></ol>
</dialog>`

export function pageHtml(nav: readonly NavSection[], page: LaidOut): string {
  const beside = contents(page.headings)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(shortened(page.description))}">
<title>${escaped(page.title)} · bcast</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="docs.css">
<script src="theme.js"></script>
<script type="module" src="docs.js"></script>
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header class="top">
<button class="plain menu" type="button" popovertarget="sidebar">Menu</button>
<a class="brand" href="../"><img src="../icon.svg" width="22" height="22" alt="">bcast</a>
<a class="wide" href="index.html">Documentation</a>
<a class="wide" href="../">Playground</a>
<a class="wide" href="${repository}">GitHub</a>
<span class="gap"></span>
<button class="find scripted" type="button"><span>Search</span> <kbd>/</kbd></button>
<button class="plain theme scripted" type="button">Theme</button>
</header>
<nav id="sidebar" class="sidebar" popover aria-label="Documentation">
<ul><li><a href="../">Playground</a></li></ul>
${sidebar(nav, page.file)}
</nav>
<div class="columns${beside === '' ? '' : ' two'}">
<main id="text" tabindex="-1">
<article>
${page.html}</article>
${neighbours(nav, page.file)}
<footer>${page.source === undefined ? '' : `<a href="${repository}/blob/main/${page.source}">Source of this page</a>`}</footer>
</main>
${beside}
</div>
${search}
</body>
</html>
`
}
