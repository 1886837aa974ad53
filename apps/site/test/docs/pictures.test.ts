// The pictures of the documentation are what the drawing code draws, with the words that it has for them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { drawnPictures } from '../../docs/drawn-pictures.ts'
import { sections } from '../../docs/pages.ts'
import { inTheme } from '../../docs/pictures.ts'
import { root, textOf } from '../../docs/repository.ts'
import { palettes } from '../../src/picture/palette.ts'

const sources = sections.flatMap(({ pages }) => pages).map(({ source }) => source)
const drawn = sources.map((source) => ({ source, ...drawnPictures(source, textOf(source)) }))
const files = new Map(drawn.flatMap((each) => [...each.files]))

it.each(drawn)('$source has the words of its pictures (npm run site:pictures)', ({ source, text }) => {
  expect(text).toBe(textOf(source))
})

it.each([...files])('%s is up to date (npm run site:pictures)', (file, svg) => {
  // Not compared as texts: nobody reads the difference.
  expect(textOf(file) === svg).toBe(true)
})

it('draws every picture that lies there, and no other', () => {
  const there = readdirSync(join(root, 'docs/pictures'))
    .filter((name) => name.endsWith('.svg'))
    .map((name) => `docs/pictures/${name}`)
  expect(there.sort()).toEqual([...files.keys()].sort())
})

it('gives each theme its colours', () => {
  const svg = textOf('docs/pictures/numpy.svg')
  const [light, dark] = [inTheme(svg, 'light'), inTheme(svg, 'dark')]
  expect(light).not.toMatch(/@media/)
  expect(light).not.toContain(palettes.dark.background)
  expect(dark).not.toMatch(/@media/)
  expect(dark.lastIndexOf(palettes.dark.background)).toBeGreaterThan(dark.lastIndexOf(palettes.light.background))
})
