// Pictures of broadcasts for the documentation, by the drawing code of the playground. Files of the repository follow
// the colours of whatever shows them; the built pages have each picture light and dark, wide and narrow.
import { type Explanation, explain } from 'bcast'
import { drawFigure } from '../src/picture/draw.ts'
import { type Figure, figureOf } from '../src/picture/figure.ts'
import type { Theme } from '../src/picture/palette.ts'
import { palettes } from '../src/picture/palette.ts'
import { type SvgNode, svg, svgText } from '../src/picture/svg.ts'
import { figureText } from '../src/picture/words.ts'
import { recognise } from '../src/recognise/recognise.ts'
import { ruleOf, shapesOf } from '../src/state/question.ts'
import type { State } from '../src/state/state.ts'

export const WIDE = 680
export const NARROW = 330
const PADDING = 12

/** The shapes of a state, explained; throws where its text holds none. */
export function explanationOf({ text, rule, onto }: State): Explanation {
  const found = recognise(text)
  if (found.kind !== 'shapes') throw new Error(`${text} holds no shapes to draw`)
  const shapes = shapesOf(found.shapes)
  return explain(shapes, { broadcast: ruleOf(rule, shapes, onto), onto })
}

function figureFor(state: State): Figure {
  const figure = figureOf(explanationOf(state))
  if (figure === undefined)
    throw new Error(`${state.text} has too many axes for a picture, or sizes that are not known`)
  return figure
}

/** The picture in words. */
export const pictureText = (state: State): string => figureText(figureFor(state))

const drawn = (state: State, theme: Theme, width: number): SvgNode =>
  drawFigure(figureFor(state), { width: width - 2 * PADDING, theme })

/** The figure on paper of its own, with a margin. */
function onPaper({ attributes, children, ...rest }: SvgNode, paper: Readonly<Record<string, string>>): SvgNode {
  const [w, h] = [Number(attributes['width']) + 2 * PADDING, Number(attributes['height']) + 2 * PADDING]
  return {
    ...rest,
    attributes: { ...attributes, viewBox: `0 0 ${w} ${h}`, width: w, height: h },
    children: [
      svg('rect', { width: w, height: h, ...paper }),
      svg('g', { transform: `translate(${PADDING} ${PADDING})` }, children),
    ],
  }
}

/** A picture in the colours of one theme, for a page of that theme. */
export const themedPicture = (state: State, theme: Theme, width: number): string =>
  svgText(onPaper(drawn(state, theme, width), { fill: palettes[theme].background }))

/** Attributes that are colours. */
const PAINTS = ['fill', 'stroke']

/** A picture that is light or dark as the reader's system is: colours that differ become classes. */
export function followingPicture(state: State): string {
  const classes = new Map<string, string>()
  const classFor = (paint: string, light: string, dark: string): string => {
    const rule = `${paint} ${light} ${dark}`
    if (!classes.has(rule)) classes.set(rule, `c${classes.size}`)
    return classes.get(rule)!
  }
  const merged = (light: SvgNode | string, dark: SvgNode | string): SvgNode | string => {
    if (typeof light === 'string' || typeof dark === 'string') return light
    const painted = PAINTS.filter((paint) => light.attributes[paint] !== dark.attributes[paint])
    const names = painted.map((paint) => classFor(paint, `${light.attributes[paint]}`, `${dark.attributes[paint]}`))
    const kept = Object.entries(light.attributes).filter(([name]) => !painted.includes(name))
    return {
      tag: light.tag,
      attributes: { ...Object.fromEntries(kept), ...(names.length === 0 ? {} : { class: names.join(' ') }) },
      children: light.children.map((child, i) => merged(child, dark.children[i]!)),
    }
  }
  const node = merged(drawn(state, 'light', WIDE), drawn(state, 'dark', WIDE)) as SvgNode
  const paper = classFor('fill', palettes.light.background, palettes.dark.background)
  const { attributes, children, ...rest } = onPaper(node, { class: paper })
  const rules = (theme: Theme): string =>
    [...classes]
      .map(([rule, name]) => {
        const [paint, light, dark] = rule.split(' ')
        return `.${name}{${paint}:${theme === 'light' ? light : dark}}`
      })
      .join('')
  const style = `${rules('light')}@media (prefers-color-scheme:dark){${rules('dark')}}`
  const words = svg('title', {}, [pictureText(state)])
  return `${svgText({ ...rest, attributes: { ...attributes, role: 'img' }, children: [words, svg('style', {}, [style]), ...children] })}\n`
}

/** A picture of the repository in one theme: the other's rules go, or take the place of the first. */
export function inTheme(text: string, theme: Theme): string {
  const dark = /@media \(prefers-color-scheme:\s*dark\)\s*\{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}/
  return text.replace(dark, (_, rules: string) => (theme === 'dark' ? rules : ''))
}
