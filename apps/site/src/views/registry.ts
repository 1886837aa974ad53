// The views of a broadcast, and of a model. Each but the first is loaded when it is opened, so that the page is there at once.
import type { ComponentType } from 'preact'
import { lazy } from '../parts/lazy.tsx'
import type { Answered } from '../state/question.ts'
import type { ViewId } from '../state/state.ts'
import { ShapesView } from './shapes.tsx'

export type View =
  | { readonly label: string; readonly Component: ComponentType<{ readonly answer: Answered }> }
  /** About no broadcast, so that it stands by itself. */
  | { readonly label: string; readonly Alone: ComponentType }

export const views: Readonly<Record<ViewId, View>> = {
  shapes: { label: 'Shapes', Component: ShapesView },
  values: { label: 'Values', Component: lazy(() => import('./values.tsx').then(({ ValuesView }) => ValuesView)) },
  rules: { label: 'Rules', Component: lazy(() => import('./rules.tsx').then(({ RulesView }) => RulesView)) },
  code: { label: 'Code', Component: lazy(() => import('./code.tsx').then(({ CodeView }) => CodeView)) },
  engine: { label: 'Engine', Component: lazy(() => import('./engine.tsx').then(({ EngineView }) => EngineView)) },
  model: { label: 'Model', Alone: lazy(() => import('./model.tsx').then(({ ModelView }) => ModelView)) },
}
