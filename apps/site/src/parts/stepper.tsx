// Play and steps: shapes as given, ranks made equal, sizes stretched, the result.
import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { type Step, steps } from '../picture/panel.ts'
import { state, update } from '../state/store.ts'

const words: Readonly<Record<Step, readonly [label: string, about: string]>> = {
  given: ['Given', 'the shapes as they are'],
  pad: ['Pad', 'axes of size 1 are added until all have the same number of axes'],
  stretch: ['Stretch', 'an axis of size 1 is read again and again'],
  compute: ['Compute', 'every element of the result is made of those at its place'],
}

const BETWEEN_STEPS_MS = 1100

const timer = signal<ReturnType<typeof setInterval> | undefined>(undefined)

const show = (step: Step): void => update((now) => ({ ...now, step, cell: undefined }), 'step')

function stop(): void {
  clearInterval(timer.value)
  timer.value = undefined
}

function play(): void {
  if (timer.value !== undefined) {
    stop()
    return
  }
  let at = 0
  show(steps[0])
  timer.value = setInterval(() => {
    at++
    show(steps[at]!)
    if (at === steps.length - 1) stop()
  }, BETWEEN_STEPS_MS)
}

export function Stepper(): VNode {
  const { step } = state.value
  return (
    <div class="stepper">
      <button type="button" onClick={play} class="play">
        {timer.value === undefined ? 'Play' : 'Stop'}
      </button>
      <fieldset class="steps">
        <legend class="unseen">Step</legend>
        {steps.map((each) => (
          <label key={each} class={each === step ? 'chosen' : undefined} title={words[each][1]}>
            <input
              type="radio"
              name="step"
              value={each}
              checked={each === step}
              onChange={() => {
                stop()
                show(each)
              }}
            />
            {words[each][0]}
          </label>
        ))}
      </fieldset>
      <span class="quiet small about">{words[step][1]}</span>
    </div>
  )
}
