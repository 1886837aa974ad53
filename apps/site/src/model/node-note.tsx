// Above a broadcast that was opened from a model: which node it is, who made its operands, what its letters stand for,
// and the way back.
import type { VNode } from 'preact'
import { operandLetter } from '../picture/figure.ts'
import { state, update } from '../state/store.ts'
import { session } from './session.ts'

const back = (): void => update((now) => ({ ...now, view: 'model' }))

export function NodeNote(): VNode | null {
  const { node } = state.value
  if (node === undefined) return null
  const now = session.value
  const row = now.kind === 'checked' ? now.report.rows[node] : undefined
  if (now.kind !== 'checked' || row === undefined) {
    return (
      <div class="note">
        <p>
          These shapes are of a model, which an address does not hold.{' '}
          <button type="button" onClick={back}>
            Open the model
          </button>
        </p>
      </div>
    )
  }
  return (
    <section class="note" aria-label="Node of the model">
      <p>
        <strong>{row.label}</strong> of {now.report.file}
      </p>
      <ul class="small">
        {row.operands.map(({ name, producer }, i) => (
          <li key={`${i} ${name}`}>
            <strong>{operandLetter(i)}</strong> is <code>{name}</code>, from {producer}
          </li>
        ))}
        {row.asked.legend.map((line) => (
          <li key={line} class="mono">
            {line}
          </li>
        ))}
      </ul>
      {row.wholeHow !== '' && <p class="quiet small">{row.wholeHow}</p>}
      <button type="button" onClick={back}>
        Back to the model
      </button>
    </section>
  )
}
