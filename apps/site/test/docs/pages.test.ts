// The pages of the documentation as they are written: every link leads somewhere, every link into the playground is
// understood there, and nothing is on a page that its policy forbids.
import { existsSync } from 'node:fs'
import { readMessages } from '@bcast/cli/messages'
import { describe, expect, it } from 'vitest'
import { docsFiles } from '../../docs/build.ts'
import { sections } from '../../docs/pages.ts'
import { root, textOf } from '../../docs/repository.ts'
import { inferExpression } from '../../src/recognise/expression.ts'
import { recognise } from '../../src/recognise/recognise.ts'
import { answerShapes } from '../../src/state/question.ts'
import { fromUrl } from '../../src/state/url.ts'

const files = docsFiles()
const pages = [...files].flatMap(([name, content]) =>
  typeof content === 'string' && name.endsWith('.html') ? [[name, content] as const] : [],
)

/** What lies beside the pages: made by the build, or of the playground. */
const BESIDE = ['docs.css', 'docs.js', 'theme.js', '../', '../icon.svg']

const unescaped = (text: string): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
const addressesIn = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src|srcset)="([^"]*)"/g)].map(([, address]) => unescaped(address!))
const idsIn = (html: string): string[] => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
const ids = new Map(pages.map(([name, html]) => [name, new Set(idsIn(html))]))

/** Examples that show nothing that the playground has: files of bundlers, NumPy's files, views, models as objects. */
const APART: Readonly<Record<string, number>> = {
  'docs/bundlers.md': 14,
  'docs/files.md': 1,
  'docs/guide.md': 1,
  'docs/native.md': 1,
  'packages/bcast/README.md': 3,
  'packages/onnx/README.md': 4,
  'packages/spec/README.md': 1,
}

describe('examples', () => {
  it.each(sections.flatMap(({ pages: own }) => own.map(({ source }) => source)))(
    'of %s open in the playground',
    (source) => {
      // A comment holds for the block behind it, and behind its picture.
      const parts = textOf(source).split(/^```(?:ts|js)\b[^\n]*\n/m)
      const without = parts.slice(0, -1).filter((before) => !/<!-- playground [^\n]*-->[^`]*$/.test(before))
      expect(without.length).toBe(APART[source] ?? 0)
    },
  )
})

describe('pages', () => {
  it('are there for every text of docs', () => {
    expect(pages.length).toBeGreaterThan(40)
    expect(sections.flatMap(({ pages: own }) => own).filter(({ source }) => !existsSync(`${root}${source}`))).toEqual(
      [],
    )
  })

  it('have no broken link between them', () => {
    const broken = pages.flatMap(([name, html]) =>
      addressesIn(html)
        .filter((address) => !/^(https:|\.\.\/#)/.test(address) && !BESIDE.includes(address))
        .filter((address) => {
          const [file, id] = [address.replace(/#.*/, '') || name, /#(.*)/.exec(address)?.[1]]
          return !files.has(file) || (id !== undefined && !ids.get(file)?.has(decodeURIComponent(id)))
        })
        .map((address) => `${name}: ${address}`),
    )
    expect(broken).toEqual([])
  })

  it('have every anchor once', () => {
    const twice = pages.flatMap(([name, html]) =>
      idsIn(html)
        .filter((id, i, all) => all.indexOf(id) < i)
        .map((id) => `${name}: ${id}`),
    )
    expect(twice).toEqual([])
  })

  it.each(pages)('%s keeps to the policy', (_, html) => {
    const tags = html.match(/<[^>]*>/g)!.join('\n')
    expect(tags.match(/ style=|<style|<script(?![^>]* src=)| on\w+=|javascript:/)?.[0]).toBeUndefined()
    expect(html.match(/<h1/g)).toHaveLength(1)
  })
})

describe('links into the playground', () => {
  const links = [...new Set(pages.flatMap(([, html]) => addressesIn(html)))].filter((address) =>
    address.startsWith('../#'),
  )

  it('are many', () => {
    expect(links.length).toBeGreaterThan(70)
  })

  it.each(links)('%s', (address) => {
    const { state, problems } = fromUrl(address.slice(3))
    expect(problems).toEqual([])
    const found = recognise(state.text)
    if (found.kind === 'shapes') expect(answerShapes(found.shapes, state).kind).toBe('answer')
    else if (found.kind === 'expression') expect(inferExpression(found)).toMatchObject({ kind: expect.any(String) })
    else expect(found.kind === 'message' && readMessages(found.text)).not.toEqual([])
  })
})
