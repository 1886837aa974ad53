// Sliders for sizes that are not known yet: the verdict above says when it holds, and here it can be tried.
import type { VNode } from 'preact'
import type { Question } from '../state/question.ts'
import { state, update } from '../state/store.ts'
import { symbolsOf, trialSizes } from '../state/trial.ts'

export function Sizes({ question }: { readonly question: Question }): VNode | null {
  const symbols = symbolsOf(question.shapes)
  if (symbols.length === 0 || question.shapes.some((shape) => shape === null)) return null
  const sizes = trialSizes(question, state.value.sizes)
  return (
    <fieldset class="sizes">
      <legend>Try sizes</legend>
      {symbols.map(({ key, label, min, max }) => (
        <label key={key}>
          <span>
            {label} = <output>{sizes[key]}</output>
          </span>
          <input
            type="range"
            min={min}
            max={Math.max(max, sizes[key]!)}
            value={sizes[key]}
            onInput={({ currentTarget: { valueAsNumber } }) =>
              update((now) => ({ ...now, sizes: { ...sizes, [key]: valueAsNumber }, cell: undefined }), `size ${key}`)
            }
          />
        </label>
      ))}
    </fieldset>
  )
}
