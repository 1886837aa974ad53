// Which elements the chosen one is made of, written out: z[1,2,0] = a[1,0] + b[2].
import type { Rule, Shape } from 'bcast'
import type { VNode } from 'preact'
import { axisClass } from '../picture/palette-css.ts'
import { type Source, sourcesOf } from '../state/index-map.ts'

function Indexed({ name, index }: Source): VNode {
  return (
    <span class="indexed">
      {name}[
      {index.map(({ at, axis }, i) => [
        <span key={i} class={axis === undefined ? undefined : axisClass(axis)}>
          {at ?? ':'}
        </span>,
        i < index.length - 1 ? ',' : '',
      ])}
      ]
    </span>
  )
}

interface Props {
  readonly shapes: readonly Shape[]
  readonly rule: Rule
  readonly onto: number
  readonly cell: readonly number[]
  /** Between operands, or the name of a function around them. */
  readonly sign: string
}

export function IndexMap({ shapes, rule, onto, cell, sign }: Props): VNode {
  const sources = sourcesOf(shapes, rule, onto, cell)
  const isInfix = !/\w/.test(sign)
  const result = { name: 'z', index: cell.map((at, i) => ({ at, axis: i - cell.length })) }
  return (
    <code class="index-map">
      <Indexed {...result} /> = {!isInfix && `${sign}(`}
      {sources.map((source, i) => (
        <span key={source.name}>
          {i === 0 ? '' : isInfix ? ` ${sign} ` : ', '}
          <Indexed {...source} />
        </span>
      ))}
      {!isInfix && ')'}
    </code>
  )
}
