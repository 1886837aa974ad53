// What is drawn of a message that does not have the shapes: what it says of them, and nothing more.
import type { Explained } from '@bcast/cli/messages'
import type { Figure } from '../picture/figure.ts'
import { productFigure, sizesFigure } from '../picture/partial.ts'

export interface MessageFigure {
  readonly figure: Figure
  /** What stands between its arrays. */
  readonly sign: string
}

/** Undefined where a message says too little. */
export function messageFigure({ reading: { finding }, verdict }: Explained): MessageFigure | undefined {
  if (finding.kind === 'sizes') {
    const figure = sizesFigure(finding, verdict === 'error')
    return figure && { figure, sign: '+' }
  }
  const factors = finding.kind === 'other' ? finding.factors : undefined
  const figure = factors && productFigure(factors)
  return figure && { figure, sign: '×' }
}
