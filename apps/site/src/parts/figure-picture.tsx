// The figure in the page: drawn for the width there is, its result's elements chosen by pointer, touch or arrow keys.
import { useSignal } from '@preact/signals'
import type { Explanation, Shape } from 'bcast'
import type { ComponentChildren, VNode } from 'preact'
import { type DrawOptions, drawFigure } from '../picture/draw.ts'
import type { Figure } from '../picture/figure.ts'
import { moveCell } from '../picture/move.ts'
import { drawPicture } from '../picture/picture.ts'
import { figureText } from '../picture/words.ts'
import type { Question } from '../state/question.ts'
import { state, update } from '../state/store.ts'
import { theme } from '../theme.ts'
import { COPIED_WIDTH, CopyPicture } from './copy.tsx'
import { IndexMap } from './index-map.tsx'
import { pictureNode } from './svg-picture.tsx'
import { useWidth } from './width.ts'

interface Props extends Pick<DrawOptions, 'textAt' | 'longest'> {
  readonly figure: Figure
  readonly question: Question
  readonly explanation: Explanation
  readonly sign: string
  /** What else is said of the chosen element. */
  readonly children?: ComponentChildren
}

const cellOf = (target: EventTarget | null): readonly number[] | undefined => {
  const text = (target as Element | null)?.closest('[data-cell]')?.getAttribute('data-cell')
  if (text === undefined || text === null) return undefined
  return text === '' ? [] : text.split(',').map(Number)
}

const isIn = (cell: readonly number[] | undefined, shape: readonly number[]): boolean =>
  cell?.length === shape.length && cell.every((index, axis) => index < shape[axis]!)

export function FigurePicture({ figure, question, explanation, sign, textAt, longest, children }: Props): VNode {
  const [around, width] = useWidth()
  const hovered = useSignal<readonly number[] | undefined>(undefined)
  const { step } = state.value
  const shape = figure.result?.shape ?? []
  const chosen = [hovered.value, state.value.cell].find((cell) => isIn(cell, shape))
  const lit = figure.result === undefined || step !== 'compute' ? undefined : chosen
  const choose = (cell: readonly number[] | undefined): void => {
    if (cell !== undefined) update((now) => ({ ...now, cell, step: 'compute' }), 'cell')
  }
  const options: DrawOptions = {
    ...{ width: width.value, theme: theme.value, step, lit, sign: /\w/.test(sign) ? ',' : sign },
    ...(textAt === undefined ? {} : { textAt }),
    ...(longest === undefined ? {} : { longest }),
  }
  const words = figureText(figure)
  // Without a result there is nowhere to go.
  const asPicture =
    figure.result === undefined
      ? ({ role: 'img', 'aria-label': words } as const)
      : ({
          role: 'application',
          'aria-roledescription': 'picture',
          'aria-describedby': 'index-map',
          'aria-label': `${words} Arrow keys go from element to element of the result.`,
        } as const)
  const picture = width.value === 0 ? null : drawFigure(figure, options)
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is an application wherever there is something to do. */}
      <div
        ref={around}
        class="figure"
        {...asPicture}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move inside, and a wide one scrolls.
        tabIndex={0}
        onPointerOver={({ target, pointerType }) => {
          if (pointerType === 'mouse') hovered.value = cellOf(target)
        }}
        onPointerLeave={() => {
          hovered.value = undefined
        }}
        onClick={({ target }) => choose(cellOf(target))}
        onKeyDown={(event) => {
          const key = `${event.shiftKey ? 'Shift+' : ''}${event.key}`
          const next = figure.result === undefined ? undefined : moveCell(shape, lit, key)
          if (next === undefined) return
          event.preventDefault()
          choose(next)
        }}
      >
        {picture === null ? null : pictureNode(picture)}
      </div>
      <p id="index-map" class={figure.result === undefined ? undefined : 'index-line'} aria-live="polite">
        {figure.result !== undefined && step === 'compute' && lit === undefined && (
          <span class="quiet">Point at an element of z, or go there with the arrow keys.</span>
        )}
        {lit !== undefined && (
          <IndexMap
            shapes={explanation.shapes as readonly Shape[]}
            rule={question.rule}
            onto={question.onto}
            cell={lit}
            sign={sign}
          />
        )}
      </p>
      {children}
      <CopyPicture picture={() => drawPicture(explanation, { ...options, width: COPIED_WIDTH })} />
    </div>
  )
}
