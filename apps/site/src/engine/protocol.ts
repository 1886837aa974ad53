// What the page and the worker of the engine's view say to each other.
import type { Inspection } from 'bcast/debug'
import type { EngineQuestion, Timed } from './compute.ts'

export type Asked =
  | { readonly kind: 'inspect'; readonly question: EngineQuestion; readonly threads: number }
  | { readonly kind: 'measure'; readonly question: EngineQuestion; readonly threads: number }

export type Said =
  | { readonly kind: 'inspected'; readonly inspection: Inspection }
  | { readonly kind: 'timed'; readonly timed: Timed }
  | { readonly kind: 'measured' }
  | { readonly kind: 'failed'; readonly text: string }
