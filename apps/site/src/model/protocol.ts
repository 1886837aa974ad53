// What the page and the worker that checks a model say to each other. All of it is plain data.
import type { ReportFormat } from '@bcast/cli/reports'
import type { ModelReport } from './report.ts'

/** A file as browsers give it, which a worker may read. */
export type Asked =
  | { readonly kind: 'check'; readonly model: File; readonly beside: readonly File[]; readonly profile: string }
  /** The same model, held against something else. */
  | { readonly kind: 'profile'; readonly profile: string }
  | { readonly kind: 'write'; readonly what: Written }

/** What can be taken away: the model with every broadcast explicit, or the report. */
export type Written = 'explicit' | ReportFormat

export type Said =
  /** `done` is how much of the step, from 0 to 1, where that is known. */
  | { readonly kind: 'step'; readonly text: string; readonly done?: number }
  | { readonly kind: 'report'; readonly report: ModelReport }
  | { readonly kind: 'failed'; readonly text: string }
  | { readonly kind: 'written'; readonly file: WrittenFile }
  | { readonly kind: 'unwritten'; readonly what: Written; readonly text: string }

export interface WrittenFile {
  readonly name: string
  readonly type: string
  readonly content: string | Uint8Array<ArrayBuffer>
  /** What was done, in words. */
  readonly notes: string
}
