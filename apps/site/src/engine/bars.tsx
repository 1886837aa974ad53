// Times as bars: the longest fills the width, and beside each stands its time and how it compares with the first.
import type { VNode } from 'preact'
import type { Timed } from './compute.ts'

const timeText = (milliseconds: number): string =>
  milliseconds < 1 ? `${(milliseconds * 1000).toPrecision(3)} µs` : `${milliseconds.toPrecision(3)} ms`

export function Bars({ times }: { readonly times: readonly Timed[] }): VNode | null {
  const [first] = times
  if (first === undefined) return null
  const longest = Math.max(...times.map(({ milliseconds }) => milliseconds))
  return (
    <ul class="bars">
      {times.map(({ label, milliseconds }, i) => (
        <li key={label}>
          <span>{label}</span>
          <span>
            <strong>{timeText(milliseconds)}</strong>
            {i > 0 && (
              <span class="quiet small"> {(milliseconds / first.milliseconds).toPrecision(2)} times the first</span>
            )}
          </span>
          <svg aria-hidden="true" width="100%" height="14">
            <rect
              class={i === 0 ? 'bar best' : 'bar'}
              width={`${(100 * milliseconds) / longest}%`}
              height="14"
              rx="3"
            />
          </svg>
        </li>
      ))}
    </ul>
  )
}
