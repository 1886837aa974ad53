// The table of all broadcasts of a model: searched and filtered, some rows at a time, so that thousands are as quick as
// ten. Each row opens as a picture.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { State } from '../state/state.ts'
import { state, update } from '../state/store.ts'
import { MOST_SEARCHED } from '../state/url.ts'
import { filterRows, type Listed, PAGE } from './filter.ts'
import { openRow } from './open-row.ts'
import type { ModelReport, Row } from './report.ts'

const verdictWords: Readonly<Record<Row['verdict'], readonly [word: string, look: string]>> = {
  equal: ['equal', 'plain'],
  broadcast: ['stretches', 'ok'],
  error: ['fails', 'error'],
  conditional: ['holds if', 'open'],
  unknown: ['unknown', 'plain'],
}

/** How many rows have each of something. */
function counts(rows: readonly Row[], namesOf: (row: Row) => readonly string[]): [name: string, count: number][] {
  const all = new Map<string, number>()
  for (const row of rows) for (const name of namesOf(row)) all.set(name, (all.get(name) ?? 0) + 1)
  return [...all]
}

interface Choice {
  readonly title: string
  readonly options: readonly (readonly [value: string, count: number, words?: string])[]
}

interface FilterProps {
  readonly label: string
  readonly field: 'verdict' | 'about'
  readonly choices: readonly Choice[]
}

function Filter({ label, field, choices }: FilterProps): VNode {
  const groups = choices.filter(({ options }) => options.length > 0)
  const known = groups.some(({ options }) => options.some(([value]) => value === state.value[field]))
  return (
    <label>
      {label}
      <select
        value={known ? state.value[field] : ''}
        onChange={({ currentTarget: { value } }) => update((now): State => ({ ...now, [field]: value }))}
      >
        <option value="">all</option>
        {groups.map(({ title, options }) => (
          <optgroup key={title} label={title}>
            {options.map(([value, count, words = value]) => (
              <option key={value} value={value}>
                {words} ({count})
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

function TableRow({ row, number }: Listed): VNode {
  const [word, look] = verdictWords[row.verdict]
  return (
    <tr class={number === state.value.node ? 'chosen' : undefined}>
      <th scope="row">
        <button type="button" class="link" onClick={() => openRow(row, number)}>
          {row.label}
        </button>
      </th>
      <td class="mono">
        {row.shapes.map((shape, i) => (
          <span key={`${i} ${shape}`} class="operand" title={row.wholeShapes[i]}>
            {shape}
          </span>
        ))}
      </td>
      <td>
        <span class={`badge ${look}`}>
          <strong>{word}</strong>
        </span>
        <span class="how small" title={row.wholeHow}>
          {row.how}
        </span>
      </td>
    </tr>
  )
}

function Pager({
  page,
  pages,
  go,
}: {
  readonly page: number
  readonly pages: number
  readonly go: (to: number) => void
}): VNode | null {
  if (pages <= 1) return null
  return (
    <nav class="pager" aria-label="Rows">
      <button type="button" disabled={page === 0} onClick={() => go(page - 1)}>
        Earlier
      </button>
      <span>
        Page {page + 1} of {pages}
      </span>
      <button type="button" disabled={page === pages - 1} onClick={() => go(page + 1)}>
        Later
      </button>
    </nav>
  )
}

/** What the short names of sizes stand for. */
function Names({ names }: { readonly names: ModelReport['names'] }): VNode | null {
  if (names.length === 0) return null
  return (
    <details class="names small" open={names.length <= 6}>
      <summary>{names.length === 1 ? 'A size' : `${names.length} sizes`} with a short name here</summary>
      <ul>
        {names.map(({ short, long }) => (
          <li key={short} class="mono">
            {short} = {long}
          </li>
        ))}
      </ul>
    </details>
  )
}

export function Broadcasts({ report: { rows, names } }: { readonly report: ModelReport }): VNode {
  const { find, verdict, about } = state.value
  const listed = filterRows(rows, state.value)
  const page = useSignal(0)
  // Another list begins at its beginning.
  useEffect(() => {
    page.value = 0
  }, [rows, find, verdict, about, page])
  const pages = Math.max(1, Math.ceil(listed.length / PAGE))
  const shown = Math.min(page.value, pages - 1)
  if (rows.length === 0) return <p class="note">No node of this model broadcasts, or would if shapes differed.</p>
  return (
    <section aria-label="Broadcasts">
      <h2>Broadcasts</h2>
      <div class="filters">
        <label>
          Search by name, operator or shape
          <input
            type="search"
            maxLength={MOST_SEARCHED}
            spellcheck={false}
            autocomplete="off"
            value={find}
            onInput={({ currentTarget: { value } }) => update((now) => ({ ...now, find: value }), 'find')}
          />
        </label>
        <Filter
          label="Verdict"
          field="verdict"
          choices={[
            {
              title: 'Verdicts',
              options: counts(rows, (row) => [row.verdict]).map(([value, count]) => [
                value,
                count,
                verdictWords[value as Row['verdict']][0],
              ]),
            },
          ]}
        />
        <Filter
          label="Pattern or finding"
          field="about"
          choices={[
            { title: 'Patterns', options: counts(rows, ({ patterns }) => patterns) },
            { title: 'Findings', options: counts(rows, ({ findings }) => findings) },
          ]}
        />
      </div>
      <p class="quiet small" role="status">
        {listed.length === rows.length
          ? `${rows.length} broadcasts.`
          : `${listed.length} of ${rows.length} broadcasts.`}
      </p>
      <Names names={names} />
      {listed.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by keyboard too.
        <section class="scroll" tabIndex={0} aria-label="Table of broadcasts">
          <table class="rules broadcasts">
            <thead>
              <tr>
                <th scope="col">Node</th>
                <th scope="col">Shapes</th>
                <th scope="col">Verdict: what stretches, or what must hold</th>
              </tr>
            </thead>
            <tbody>
              {listed.slice(shown * PAGE, (shown + 1) * PAGE).map((each) => (
                <TableRow key={each.number} {...each} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      <Pager
        page={shown}
        pages={pages}
        go={(to) => {
          page.value = to
        }}
      />
    </section>
  )
}
