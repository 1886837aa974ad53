// The shapes under each other, aligned as they meet, every axis in its colour.
import type { Explanation } from 'bcast'
import type { VNode } from 'preact'
import { axisClass } from '../picture/palette-css.ts'
import { roleWords, tableOf } from '../picture/table.ts'

export function AlignedTable({ explanation }: { readonly explanation: Explanation }): VNode | null {
  const rows = tableOf(explanation)
  if (rows.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by keyboard too.
    <section class="scroll" tabIndex={0} aria-label="Shapes, aligned">
      <table class="aligned">
        <thead>
          <tr>
            <th scope="col">axis</th>
            {explanation.axes.map(({ axis }) => (
              <th scope="col" key={axis} class={axisClass(axis)}>
                {axis}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, cells }) => (
            <tr key={label} class={label === 'z' ? 'result' : undefined}>
              <th scope="row">{label}</th>
              {cells.map(({ axis, role, text }) => (
                <td key={axis} class={`${role} ${role === 'conflict' ? '' : axisClass(axis)}`} title={roleWords[role]}>
                  <span>{text}</span>
                  {roleWords[role] !== '' && <span class="unseen"> {roleWords[role]}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
