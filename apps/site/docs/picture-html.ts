// A picture on a built page: light and dark by the theme of the page, not of the system, so each is a file of its own;
// drawn again for narrow screens where the drawing code can.
import { posix } from 'node:path'
import type { Theme } from '../src/picture/palette.ts'
import { escaped } from './escape.ts'
import { inTheme, NARROW, themedPicture, WIDE } from './pictures.ts'
import type { Annotation } from './playground.ts'
import { bytesOf, textOf } from './repository.ts'

const THEMES: readonly Theme[] = ['light', 'dark']
/** Below this width of the window the narrow drawing is shown. */
const BREAK = '(max-width: 44rem)'

export interface PictureHtml {
  readonly html: string
  /** The files that it needs, by their names beside the page. */
  readonly made: ReadonlyMap<string, PageFile>
}

/** What lies beside a page: a text, or the bytes of a screenshot. */
export type PageFile = string | Uint8Array

const sizeOf = (svg: string): string => {
  const [, width, height] = /<svg [^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []
  if (width === undefined) throw new Error('a picture without a viewBox')
  return `width="${Math.round(Number(width))}" height="${Math.round(Number(height))}"`
}

/** Where a PNG has its width; its height stands behind it. */
const PNG_WIDTH = 16

/** A screenshot: NAME-light.png, which has a NAME-dark.png beside it. */
function screenshotHtml(source: string, src: string, alt: string): PictureHtml {
  const made = new Map<string, PageFile>()
  const html = THEMES.map((theme) => {
    const file = src.replace(/-light\.png$/, `-${theme}.png`)
    const bytes = bytesOf(posix.join(posix.dirname(source), file))
    const name = `pictures/${posix.basename(file)}`
    made.set(name, bytes)
    const numbers = new DataView(bytes.buffer, bytes.byteOffset)
    const size = `width="${numbers.getUint32(PNG_WIDTH)}" height="${numbers.getUint32(PNG_WIDTH + 4)}"`
    return `<span class="picture shot ${theme}"><img src="${name}" ${size} loading="lazy" alt="${escaped(alt)}"></span>`
  })
  return { html: html.join(''), made }
}

export function pictureHtml(source: string, src: string, alt: string, drawn: Annotation | undefined): PictureHtml {
  if (src.endsWith('-light.png')) return screenshotHtml(source, src, alt)
  if (!src.endsWith('.svg')) throw new Error(`${source} shows ${src}, and pictures are .svg or NAME-light.png`)
  const made = new Map<string, string>()
  const add = (variant: string, content: string): { readonly name: string; readonly size: string } => {
    const name = `pictures/${posix.basename(src, '.svg')}.${variant}.svg`
    made.set(name, content)
    return { name, size: sizeOf(content) }
  }
  const html = THEMES.map((theme) => {
    const file = posix.join(posix.dirname(source), src)
    const wide = add(
      theme,
      drawn === undefined ? inTheme(textOf(file), theme) : themedPicture(drawn.state, theme, WIDE),
    )
    const image = `<img src="${wide.name}" ${wide.size} loading="lazy" alt="${escaped(alt)}">`
    if (drawn === undefined) return `<span class="picture ${theme}">${image}</span>`
    const narrow = add(`${theme}.narrow`, themedPicture(drawn.state, theme, NARROW))
    return `<picture class="picture ${theme}"><source media="${BREAK}" srcset="${narrow.name}" ${narrow.size}>${image}</picture>`
  })
  return { html: html.join(''), made }
}
