// The examples beside the field: those to begin with, and those of each document behind its title.
import type { VNode } from 'preact'
import { type Chapter, chapters, type Example } from '../gallery/examples.ts'
import { asked, initial } from '../state/state.ts'
import { update } from '../state/store.ts'

const SHOWN = 40

const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

const ruleText = ({ rule }: Example): string => {
  if (rule?.rule === undefined) return ''
  const { axis, newAxes } = rule
  return [
    rule.rule,
    ...(axis === undefined ? [] : [`axis ${axis}`]),
    ...(newAxes === undefined ? [] : [`new axes ${newAxes}`]),
  ].join(', ')
}

function open({ text, rule = {}, view }: Example): void {
  update((now) => ({ ...asked({ ...initial, view: view ?? now.view }, { text, rule }) }))
  document.getElementById('field')?.scrollIntoView({ block: 'nearest' })
}

function ExampleButton({ example }: { readonly example: Example }): VNode {
  const note = [example.about, ruleText(example)].filter((each) => each !== undefined && each !== '').join('; ')
  return (
    <li>
      <button type="button" onClick={() => open(example)}>
        <span class="mono">{shortened(example.text)}</span>
        {note !== '' && <span class="quiet small">{note}</span>}
      </button>
    </li>
  )
}

const Examples = ({ examples }: Chapter): VNode => (
  <ul>
    {examples.map((example) => (
      <ExampleButton key={`${example.text} ${ruleText(example)}`} example={example} />
    ))}
  </ul>
)

export function Gallery(): VNode {
  const [start, ...documents] = chapters
  return (
    <aside class="gallery" aria-label="Examples">
      <section>
        <h2>{start!.title}</h2>
        <Examples {...start!} />
      </section>
      <section>
        <h2>From the documents</h2>
        {documents.map((chapter) => (
          <details key={chapter.title}>
            <summary>{chapter.title}</summary>
            <Examples {...chapter} />
          </details>
        ))}
      </section>
    </aside>
  )
}
