// The views of a broadcast. Each but the first is loaded when it is opened, so that the page is there at once.
import type { ComponentType } from 'preact'
import type { Answered } from '../state/question.ts'
import type { ViewId } from '../state/state.ts'
import { ShapesView } from './shapes.tsx'

export interface View {
  readonly label: string
  readonly Component: ComponentType<{ readonly answer: Answered }>
}

export const views: Readonly<Partial<Record<ViewId, View>>> = {
  shapes: { label: 'Shapes', Component: ShapesView },
}
