// The picture of a message that does not have the shapes: what it says of them, and nothing more.
import type { Explained } from '@bcast/cli/messages'
import type { VNode } from 'preact'
import { drawFigure } from '../picture/draw.ts'
import { drawSheet } from '../picture/picture.ts'
import { figureText } from '../picture/words.ts'
import { messageFigure } from '../state/message-figure.ts'
import { theme } from '../theme.ts'
import { COPIED_WIDTH, CopyPicture } from './copy.tsx'
import { pictureNode } from './svg-picture.tsx'
import { useWidth } from './width.ts'

interface Props {
  readonly found: Explained
  /** What is copied with it. */
  readonly sentence: string
}

export function MessagePicture({ found, sentence }: Props): VNode | null {
  const [around, width] = useWidth()
  const isError = found.verdict === 'error'
  const { figure, sign = '' } = messageFigure(found) ?? {}
  const options = { theme: theme.value, sign }
  return (
    <div ref={around}>
      {figure !== undefined && width.value > 0 && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide picture scrolls, by keyboard too. */}
          <div class="figure" role="img" aria-label={figureText(figure)} tabIndex={0}>
            {pictureNode(drawFigure(figure, { ...options, width: width.value }))}
          </div>
          {figure.operands.some(({ shapeText }) => shapeText !== undefined) && (
            <p class="quiet small">Dotted, ? and … are what the message does not say.</p>
          )}
          <CopyPicture picture={() => drawSheet({ sentence, isError, figure }, { ...options, width: COPIED_WIDTH })} />
        </>
      )}
    </div>
  )
}
