// A picture as plain data, so that the page, a copied file and the documentation draw the same. Attributes are
// presentation attributes: a strict policy blocks styles.

export interface SvgNode {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly children: readonly (SvgNode | string)[]
}

export const svg = (
  tag: string,
  attributes: SvgNode['attributes'] = {},
  children: readonly (SvgNode | string)[] = [],
): SvgNode => ({ tag, attributes, children })

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => ESCAPES[c]!)

/** A picture as the text of a file. */
export function svgText({ tag, attributes, children }: SvgNode): string {
  const given = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
  const inside = children.map((child) => (typeof child === 'string' ? escaped(child) : svgText(child))).join('')
  return inside === '' ? `<${tag}${given.join('')}/>` : `<${tag}${given.join('')}>${inside}</${tag}>`
}

/** Lengths with at most two decimals. */
export const rounded = (length: number): number => Math.round(length * 100) / 100
