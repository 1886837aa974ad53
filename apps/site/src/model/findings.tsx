// What a check found, in the groups of the command line: each kind, of each cause the first, with its picture and fixes.
import type { VNode } from 'preact'
import { update } from '../state/store.ts'
import { openRow } from './open-row.ts'
import type { FindingCard, FindingKind, ModelReport } from './report.ts'

const looks = { error: 'error', warning: 'open', note: 'plain' } as const

/** The ways in which shapes are aligned are long lines, which scroll by themselves. */
function Card({ card, report }: { readonly card: FindingCard; readonly report: ModelReport }): VNode {
  const { message, count, also, picture, clause, fixes, row } = card
  return (
    <li class="finding">
      <p>
        {count > 1 && <strong>{count} ×, the first: </strong>}
        {message}
      </p>
      {picture.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide picture scrolls, by keyboard too.
        <pre class="scroll small" tabIndex={0}>
          {picture.join('\n')}
        </pre>
      )}
      {clause !== '' && <p class="quiet small">{clause}</p>}
      {fixes.length > 0 && (
        <ul class="small">
          {fixes.map((fix) => (
            <li key={fix}>
              <strong>Fix:</strong> {fix}
            </li>
          ))}
        </ul>
      )}
      {also !== '' && <p class="quiet small">Also {also}.</p>}
      {row !== undefined && (
        <button type="button" onClick={() => openRow(report.rows[row]!, row)}>
          Open {report.rows[row]!.label}
        </button>
      )}
    </li>
  )
}

function Kind({ kind, report }: { readonly kind: FindingKind; readonly report: ModelReport }): VNode {
  const { severity, id, findings, rest } = kind
  const count = findings.reduce((sum, { count: own }) => sum + own, rest?.count ?? 0)
  const isListed = report.rows.some((row) => row.findings.includes(id))
  return (
    <details class="kind" open={severity === 'error'}>
      <summary>
        <span class={`badge ${looks[severity]}`}>
          <strong>{severity}</strong>
        </span>{' '}
        <code>{id}</code> <span class="quiet">{count === 1 ? 'once' : `${count} times`}</span>
      </summary>
      {isListed && (
        <button type="button" onClick={() => update((now) => ({ ...now, about: id, find: '', verdict: '' }))}>
          List its broadcasts
        </button>
      )}
      <ul>
        {findings.map((card) => (
          <Card key={card.message} card={card} report={report} />
        ))}
        {rest !== undefined && (
          <li class="finding">
            <p>
              {rest.count} × of {rest.causes} other causes, the first: {rest.message}
            </p>
            <p class="quiet small">Also {rest.also}.</p>
          </li>
        )}
      </ul>
    </details>
  )
}

export function Findings({ report }: { readonly report: ModelReport }): VNode | null {
  if (report.kinds.length === 0) return null
  return (
    <section class="kinds" aria-label="Findings">
      <h2>Findings</h2>
      {report.kinds.map((kind) => (
        <Kind key={`${kind.severity} ${kind.id}`} kind={kind} report={report} />
      ))}
    </section>
  )
}
