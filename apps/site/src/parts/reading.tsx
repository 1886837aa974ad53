// What was read in a text: each message, which can be chosen, and of those that name no shapes what they say.
import { type Explained, frameworks, readingText } from '@bcast/cli/messages'
import type { VNode } from 'preact'
import { message, messages } from '../state/answers.ts'
import { update } from '../state/store.ts'

const SHOWN = 160

const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)

/** What the command line would say, without its head, which stands above, and with the field instead of a command. */
const wordsOf = (found: Explained): string =>
  readingText(found)
    .split('\n')
    .slice(found.reading.where === undefined ? 2 : 3)
    .join('\n')
    .replace(/(?:Then|Give the shapes themselves): bcast explain SHAPE SHAPE/, 'Then type them above.')

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
  const isShapes = reading.finding.kind === 'shapes'
  return (
    <>
      {messages.value.length > 1 && <Findings />}
      <div class="note">
        <p>
          <strong>{frameworks[reading.framework]}</strong> says: {shortened(reading.text)}
        </p>
        {reading.where !== undefined && <p class="quiet small">{reading.where}</p>}
      </div>
      {!isShapes && <pre class="note error">{wordsOf(found)}</pre>}
    </>
  )
}
