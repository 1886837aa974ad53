// Sliders for sizes that are not known yet: the verdict above says when it holds, and here it can be tried.
import type { VNode } from 'preact'
import type { Answered } from '../state/question.ts'
import { state, update } from '../state/store.ts'
import { openSizes, sizesFor } from '../state/trial.ts'

export function Sizes({ answer }: { readonly answer: Answered }): VNode | null {
  const open = openSizes(answer.question.shapes)
  if (open.length === 0 || answer.question.shapes.some((shape) => shape === null)) return null
  const sizes = sizesFor(answer, state.value.sizes)
  return (
    <fieldset class="sizes">
      <legend>Try sizes</legend>
      {open.map(({ key, label, min, max }) => (
        <label key={key}>
          <span>
            {label} = <strong>{sizes[key]}</strong>
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
