// The first view: the shapes aligned, and the picture of what stretches.
import type { VNode } from 'preact'
import { AlignedTable } from '../parts/aligned-table.tsx'
import { COPIED_WIDTH, CopyPicture } from '../parts/copy.tsx'
import { FigurePicture } from '../parts/figure-picture.tsx'
import { Sizes } from '../parts/sizes.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { figureOf, MOST_DRAWN_AXES } from '../picture/figure.ts'
import { drawPicture } from '../picture/picture.ts'
import { recognised } from '../state/answers.ts'
import type { Answered } from '../state/question.ts'
import { state } from '../state/store.ts'
import { tried } from '../state/trial.ts'
import { theme } from '../theme.ts'

export function ShapesView({ answer }: { readonly answer: Answered }): VNode {
  const { question, explanation } = answer
  if (question.shapes.some((shape) => shape === null)) {
    return <p class="note quiet">There is no picture of a shape whose number of axes is not known.</p>
  }
  const shown = tried(answer, state.value.sizes)
  const figure = figureOf(shown)
  return (
    <>
      <AlignedTable explanation={explanation} />
      <Sizes answer={answer} />
      {shown !== explanation && (
        <p class={`note ${shown.verdict === 'error' ? 'error' : 'ok'}`} role="status">
          With these sizes: {shown.sentence}.
        </p>
      )}
      {figure === undefined ? (
        <>
          <p class="note quiet">Pictures have up to {MOST_DRAWN_AXES} axes; the table above has them all.</p>
          <CopyPicture picture={() => drawPicture(shown, { width: COPIED_WIDTH, theme: theme.value })} />
        </>
      ) : (
        <>
          {figure.result !== undefined && <Stepper />}
          <FigurePicture
            figure={figure}
            question={question}
            explanation={shown}
            sign={recognised.value.kind === 'expression' ? 'f' : '+'}
          />
        </>
      )}
    </>
  )
}
