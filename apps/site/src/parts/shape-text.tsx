// A shape in the running text, every size in the colour of its axis.
import type { SymbolicShape } from 'bcast'
import type { VNode } from 'preact'
import { axisClass } from '../picture/palette-css.ts'
import { dimText } from '../picture/table.ts'

export function ShapeText({ shape }: { readonly shape: SymbolicShape }): VNode {
  if (shape === null) return <span class="shape">(?…)</span>
  return (
    <span class="shape">
      (
      {shape.map((dim, i) => [
        <span key={i} class={axisClass(i - shape.length)}>
          {dimText(dim)}
        </span>,
        i < shape.length - 1 ? ',' : '',
      ])}
      )
    </span>
  )
}
