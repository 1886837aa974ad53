// What was read in a text: each message, which can be chosen, and of those that name no shapes what they say.
import { type Explained, frameworks, type Telling, tellingOf } from '@bcast/cli/messages'
import type { VNode } from 'preact'
import { message, messages } from '../state/answers.ts'
import { update } from '../state/store.ts'
import { MessagePicture } from './message-picture.tsx'

const SHOWN = 160

const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const looks = { ok: 'open', conditional: 'open', error: 'error' } as const

/** What a message means that does not have the shapes, drawn as far as it goes, and how to learn the rest. */
function Told({ found, telling }: { readonly found: Explained; readonly telling: Telling }): VNode {
  const { sentence, known, next, asksShapes, fromFirst } = telling
  const said = capital(sentence.replace(/\.?$/, '.'))
  return (
    <>
      <div class={`note ${looks[found.verdict]} told`} role="status">
        <p>{said}</p>
        {known !== undefined && <p>{known}</p>}
        {next !== undefined && <p>To see the shapes: {next}.</p>}
        {asksShapes && (
          <p>
            {next === undefined ? 'Type the shapes' : 'Then type them'} above
            {fromFirst !== undefined &&
              `, with the rule paddle and axis 0, which lines shapes up at the first axis as ${fromFirst} does`}
            .
          </p>
        )}
      </div>
      <MessagePicture found={found} sentence={said} />
    </>
  )
}

/** Several messages, one of them chosen. */
function Findings(): VNode {
  return (
    <fieldset class="findings">
      <legend>{messages.value.length} messages</legend>
      {messages.value.map(({ reading, verdict }, i) => (
        <label key={reading.text}>
          <input
            type="radio"
            name="finding"
            checked={reading === message.value?.reading}
            onChange={() => update((now) => ({ ...now, finding: i, fix: undefined, cell: undefined }))}
          />
          <span>
            <strong>{frameworks[reading.framework]}</strong>
            {verdict === 'ok' && ' (the shapes meet)'} <span class="quiet">{shortened(reading.text)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** The message that is looked at. */
export function Reading(): VNode | null {
  const found = message.value
  if (found === undefined) return null
  const { reading } = found
  const telling = tellingOf(found)
  return (
    <>
      {messages.value.length > 1 && <Findings />}
      <div class="note">
        <p>
          <strong>{frameworks[reading.framework]}</strong> says: {shortened(reading.text)}
        </p>
        {reading.where !== undefined && <p class="quiet small">{reading.where}</p>}
      </div>
      {telling !== undefined && <Told found={found} telling={telling} />}
    </>
  )
}
