// The whole state of the page as one plain value. Everything that is shown follows from it; the address holds it.
import type { RuleOptions } from '@bcast/cli/shapes'
import type { Step } from '../picture/panel.ts'

/** The views, in the order of their tabs. */
export const viewIds = ['shapes', 'values', 'rules', 'code', 'engine', 'model'] as const
export type ViewId = (typeof viewIds)[number]

export interface State {
  /** What stands in the field: shapes, an error message, an expression with sizes. */
  readonly text: string
  readonly view: ViewId
  /** The rule and what it reads. */
  readonly rule: RuleOptions
  /** The operand that one-way rules keep. */
  readonly onto: number
  /** The fix that was applied, by its number among those of the shapes as given. */
  readonly fix: number | undefined
  /** Sizes that are tried for names and unknown sizes. */
  readonly sizes: Readonly<Record<string, number>>
  readonly step: Step
  /** The element of the result that is looked at. */
  readonly cell: readonly number[] | undefined
  /** Which of several messages in a text. */
  readonly finding: number
  readonly operator: string
  readonly dtype: string
  /** Elements that were typed, as `operand:index`. */
  readonly values: Readonly<Record<string, string>>
  /** The broadcast of a model that is looked at, by its place in the table. */
  readonly node: number | undefined
  /** What the table of a model lists: words, a verdict, a pattern or finding; all where empty. */
  readonly find: string
  readonly verdict: string
  readonly about: string
  /** What a model is held against. */
  readonly profile: string
}

export const initial: State = {
  text: '2,3,4  3,1',
  view: 'shapes',
  rule: {},
  onto: 0,
  fix: undefined,
  sizes: {},
  step: 'compute',
  cell: undefined,
  finding: 0,
  operator: 'add',
  dtype: 'float32',
  values: {},
  node: undefined,
  find: '',
  verdict: '',
  about: '',
  profile: 'onnx',
}

/** The state with another question: what belonged to the old one is gone. */
export const asked = (state: State, question: Partial<Pick<State, 'text' | 'rule' | 'onto'>>): State => ({
  ...state,
  ...question,
  fix: undefined,
  cell: undefined,
  sizes: {},
  values: {},
  node: undefined,
  // Whoever types shapes wants to see them.
  view: state.view === 'model' ? 'shapes' : state.view,
  ...(question.text === undefined ? {} : { finding: 0 }),
})
