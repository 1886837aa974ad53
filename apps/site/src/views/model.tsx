// A model: checked in a worker, its findings, its broadcasts, and what can be taken away.
import '../model/model.css'
import type { VNode } from 'preact'
import { Broadcasts } from '../model/broadcasts.tsx'
import { DropZone } from '../model/drop-zone.tsx'
import { Findings } from '../model/findings.tsx'
import type { Written } from '../model/protocol.ts'
import type { ModelReport } from '../model/report.ts'
import { cancel, session, write, writing, writtenNotes } from '../model/session.ts'
import { bytesText } from '../parts/fixes.tsx'
import { state, update } from '../state/store.ts'

function Working({
  file,
  text,
  done,
}: {
  readonly file: string
  readonly text: string
  readonly done: number | undefined
}): VNode {
  return (
    <div class="note working">
      <p role="status">
        {file}: {text}…
      </p>
      <progress aria-label={`Check of ${file}`} {...(done === undefined ? {} : { value: done })} />
      <button type="button" onClick={cancel}>
        Cancel
      </button>
    </div>
  )
}

const downloads: Readonly<Record<Written, string>> = {
  explicit: 'Explicit model',
  json: 'JSON',
  sarif: 'SARIF',
  md: 'Markdown',
}

function Downloads(): VNode {
  const notes = writtenNotes.value
  return (
    <section aria-label="Download">
      <div class="tools">
        <span>Download:</span>
        {(Object.keys(downloads) as Written[]).map((what) => (
          <button key={what} type="button" disabled={writing.value !== undefined} onClick={() => write(what)}>
            {downloads[what]}
            {writing.value === what && '…'}
          </button>
        ))}
      </div>
      <div role="status">
        {notes !== undefined && (
          <>
            <p class="quiet small">{notes.failed ? 'It cannot be written.' : `${notes.name} was saved.`}</p>
            {notes.text !== '' && <pre class={notes.failed ? 'note error small' : 'note small'}>{notes.text}</pre>}
          </>
        )}
      </div>
    </section>
  )
}

/** Profiles that an address may name and nobody knows are as if none was named. */
const wantedProfile = ({ profiles, profile }: ModelReport): string =>
  profiles.includes(state.value.profile) ? state.value.profile : profile

function Summary({ report }: { readonly report: ModelReport }): VNode {
  const { file, bytes, about, profile, profiles, passes, summary } = report
  const wanted = wantedProfile(report)
  return (
    <div class={`verdict ${passes ? 'ok' : 'error'}`} role="status">
      <p class="headline">
        <span class="mark" aria-hidden="true">
          {passes ? '✓' : '✕'}
        </span>
        <strong>
          {file} {passes ? 'passes' : 'fails'}
        </strong>{' '}
        under profile {profile}: {summary}.
      </p>
      <p class="small">
        {bytesText(bytes)}; {about}.
      </p>
      <label class="small">
        Profile{' '}
        <select
          value={wanted}
          onChange={({ currentTarget: { value } }) => update((now) => ({ ...now, profile: value }))}
        >
          {profiles.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        {wanted !== profile && ' Checking…'}
      </label>
    </div>
  )
}

/** Weights outside the file, of which shapes do not depend; values that do are not known. */
function External({ report: { external } }: { readonly report: ModelReport }): VNode | null {
  const missing = external.filter(({ given }) => !given).map(({ location }) => location)
  if (missing.length === 0) return null
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : ''
  return (
    <p class="note open">
      Weights of this model lie in files of their own that did not come along: {missing.slice(0, 3).join(', ')}
      {more}. Shapes are checked without them; what depends on their elements is not known. Open the model and these
      files together to know it.
    </p>
  )
}

export function ModelView(): VNode {
  const now = session.value
  if (now.kind === 'working') return <Working {...now} />
  if (now.kind === 'checked') {
    const { report } = now
    return (
      <div class="model">
        <Summary report={report} />
        <External report={report} />
        <Downloads />
        <Findings report={report} />
        <Broadcasts report={report} />
        <DropZone label="Open another model" />
      </div>
    )
  }
  return (
    <div class="model">
      {now.kind === 'failed' && (
        <div class="note error" role="alert">
          <p>
            <strong>{now.file}</strong> cannot be checked. {now.text}
          </p>
        </div>
      )}
      {now.kind === 'none' && now.said !== undefined && (
        <p class="note" role="status">
          {now.said}
        </p>
      )}
      <DropZone label="Choose an .onnx model" />
      <p>
        Every node that broadcasts gets a verdict: which operands stretch, on which axes, and what it would take; what
        fails, why, and what would fix it. Each opens as a picture.
      </p>
    </div>
  )
}
