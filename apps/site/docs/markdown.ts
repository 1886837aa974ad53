// A text of the repository as the inside of a page: headings with anchors, highlighted code, links that lead to pages,
// pictures in both themes, and links into the playground. It also tells what the search finds.
import MarkdownIt, { type Token } from 'markdown-it'
import { escaped } from './escape.ts'
import { highlighted } from './highlight.ts'
import { resolvedLink } from './links.ts'
import { type PageFile, pictureHtml } from './picture-html.ts'
import type { Annotation } from './playground.ts'
import { labelTables } from './tables.ts'
import { plainText, prepared } from './tokens.ts'

export interface Heading {
  readonly level: number
  readonly id: string
  readonly text: string
}

/** A heading and the text below it, for the search. */
export interface SearchedPart {
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface Written {
  readonly html: string
  readonly title: string
  /** The first paragraph. */
  readonly description: string
  readonly headings: readonly Heading[]
  readonly parts: readonly SearchedPart[]
  /** Files that it shows, by their names beside the page. */
  readonly files: ReadonlyMap<string, PageFile>
}

export interface WriteOptions {
  /** The address of an exported name, where there is one. */
  readonly nameLink?: (name: string) => string | undefined
}

/** As GitHub makes them, so that links into texts lead to the same places here. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

interface Env {
  readonly source: string
  readonly nameLink: (name: string) => string | undefined
  readonly pictures: ReadonlyMap<string, Annotation>
  readonly files: Map<string, PageFile>
  readonly linked: Set<string>
}

const md = new MarkdownIt({ html: true })
const { rules } = md.renderer
const attribute = (token: Token, name: string): string => String(token.attrGet(name))
const envOf = (env: unknown): Env => env as Env

/** Highlighted code that a reader may copy, or what it prints. */
export const codeBox = (html: string, info: string): string =>
  `<div class="code${info === 'text' ? ' output' : ''}"><pre tabindex="0"><code>${html}</code></pre></div>\n`

export const codeHtml = (code: string, info: string): string => codeBox(highlighted(code, info), info)

rules['fence'] = (tokens, i) => codeHtml(tokens[i]!.content, tokens[i]!.info)
rules['heading_open'] = (tokens, i) => `<${tokens[i]!.tag} id="${attribute(tokens[i]!, 'id')}">`
rules['heading_close'] = (tokens, i) => {
  const { tag } = tokens[i]!
  if (tag === 'h1') return '</h1>\n'
  const id = attribute(tokens[i - 2]!, 'id')
  return ` <a class="anchor" href="#${id}" aria-label="Link to ${escaped(plainText(tokens[i - 1]!))}">#</a></${tag}>\n`
}
rules['table_open'] = (tokens, i) => {
  const isStacked = tokens[i]!.attrGet('class') === 'stacked'
  return `<div class="table${isStacked ? ' stacked' : ''}" tabindex="0" role="group" aria-label="Table"><table>\n`
}
rules['table_close'] = () => '</table></div>\n'
/** A header without a word is none. */
const cellTag = (tokens: readonly Token[], inside: number, tag: string): string =>
  tokens[inside]!.content === '' ? 'td' : tag
for (const tag of ['th', 'td']) {
  rules[`${tag}_open`] = (tokens, i) => {
    // Columns of numbers ask for a style of their own.
    const isNumber = tokens[i]!.attrGet('style') === 'text-align:right'
    const label = tokens[i]!.attrGet('data-label')
    const labelled = label === null || label === '' ? '' : ` data-label="${escaped(String(label))}"`
    return `<${cellTag(tokens, i + 1, tag)}${isNumber ? ' class="number"' : ''}${labelled}>`
  }
  rules[`${tag}_close`] = (tokens, i) => `</${cellTag(tokens, i - 1, tag)}>\n`
}
rules['link_open'] = (tokens, i, _, env) => {
  return `<a href="${escaped(resolvedLink(envOf(env).source, attribute(tokens[i]!, 'href')))}">`
}
rules['image'] = (tokens, i, _, env) => {
  const { source, pictures, files } = envOf(env)
  const [src, alt] = [attribute(tokens[i]!, 'src'), tokens[i]!.content]
  const { html, made } = pictureHtml(source, src, alt, pictures.get(src))
  for (const [name, content] of made) files.set(name, content)
  return html
}
rules['code_inline'] = (tokens, i, _, env) => {
  const { content } = tokens[i]!
  const { nameLink, linked } = envOf(env)
  const code = `<code>${escaped(content)}</code>`
  const inside = tokens.slice(0, i).filter(({ type }) => type === 'link_open' || type === 'link_close').length % 2 === 1
  const address = inside || linked.has(content) ? undefined : nameLink(content)
  if (address === undefined) return code
  linked.add(content)
  return `<a class="name" href="${address}">${code}</a>`
}

/** Gives headings their anchors; a text may say one thing twice. */
function headingsIn(tokens: readonly Token[]): Heading[] {
  const seen = new Map<string, number>()
  return tokens.flatMap((token, i) => {
    if (token.type !== 'heading_open') return []
    const text = plainText(tokens[i + 1]!)
    const slug = slugOf(text)
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    const id = times === 0 ? slug : `${slug}-${times}`
    token.attrSet('id', id)
    return [{ level: Number(token.tag.slice(1)), id, text }]
  })
}

function partsIn(tokens: readonly Token[]): SearchedPart[] {
  const parts: { id: string; title: string; text: string }[] = []
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      parts.push({ id: attribute(token, 'id'), title: plainText(tokens[i + 1]!), text: '' })
    } else if (token.type === 'inline' && tokens[i - 1]?.type !== 'heading_open') {
      const part = parts.at(-1)
      if (part !== undefined) part.text += `${plainText(token)} `
    }
  }
  return parts
}

export function writeMarkdown(source: string, text: string, options: WriteOptions = {}): Written {
  const env = { source, files: new Map<string, PageFile>() }
  const parsed = md.parse(text, env)
  const sample = parsed[0]!
  const htmlToken = (html: string): Token =>
    Object.assign(Object.create(Object.getPrototypeOf(sample)), { type: 'html_block', content: html, nesting: 0 })
  const { tokens, pictures } = prepared(parsed, htmlToken)
  const headings = headingsIn(tokens)
  labelTables(tokens)
  const first = tokens.findIndex(({ type }, i) => type === 'inline' && tokens[i - 1]?.type === 'paragraph_open')
  const description = first < 0 ? '' : plainText(tokens[first]!)
  const nameLink = options.nameLink ?? (() => undefined)
  const html = md.renderer.render([...tokens], md.options, { ...env, pictures, nameLink, linked: new Set() })
  return { html, title: headings[0]?.text ?? '', description, headings, parts: partsIn(tokens), files: env.files }
}
