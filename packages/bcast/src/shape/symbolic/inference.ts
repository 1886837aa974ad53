// What a rule says of symbolic shapes: the three verdicts and what each of them knows.
import type { SymbolicShape } from '../dim.ts'
import type { Failure } from '../failure.ts'
import type { Alignment } from '../rule.ts'
import type { Condition } from './condition.ts'

export type Inference =
  | { readonly verdict: 'ok'; readonly shape: SymbolicShape; readonly alignment: Alignment | undefined }
  | {
      readonly verdict: 'conditional'
      readonly shape: SymbolicShape
      readonly conditions: readonly Condition[]
      readonly alignment: Alignment | undefined
    }
  | { readonly verdict: 'error'; readonly failure: Failure; readonly alignment: Alignment | undefined }
