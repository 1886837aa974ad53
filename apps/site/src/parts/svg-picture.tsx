// A picture in the page: the plain data of picture/ as elements, as large as the letters beside it.
import { h, type VNode } from 'preact'
import type { SvgNode } from '../picture/svg.ts'

/** Letters of this size have pictures as they are drawn. */
const USUAL = 16

const nodeOf = ({ tag, attributes, children }: SvgNode): VNode =>
  h(tag, attributes, ...children.map((child) => (typeof child === 'string' ? child : nodeOf(child))))

/** Its words stand beside it. */
export function pictureNode(picture: SvgNode): VNode {
  const { width, height } = picture.attributes as { width: number; height: number }
  const size = { width: `${width / USUAL}rem`, height: `${height / USUAL}rem` }
  return nodeOf({
    ...picture,
    attributes: { ...picture.attributes, ...size, 'aria-hidden': 'true', focusable: 'false' },
  })
}

/** What the page has room for, in the units of a drawing. */
export const drawnWidth = (pixels: number): number =>
  Math.floor((pixels * USUAL) / Number.parseFloat(getComputedStyle(document.documentElement).fontSize))
