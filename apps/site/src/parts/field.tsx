// The one field to begin with: shapes, a message, an expression. Below it stands what the text was taken for.
import type { VNode } from 'preact'
import { messages, recognised } from '../state/answers.ts'
import { asked } from '../state/state.ts'
import { state, update } from '../state/store.ts'
import { FileChoice, fileNote, fileProblem, isDropping } from './files.tsx'

const LONGEST_ROWS = 8
/** Longer texts are set in smaller letters. */
const LONG = 60

/** Rows that a text takes, about. */
const rowsOf = (text: string): number =>
  Math.min(
    LONGEST_ROWS,
    text
      .slice(0, 4000)
      .split('\n')
      .reduce((rows, line) => rows + 1 + Math.floor(line.length / 90), 0),
  )

function takenFor(): string {
  const what = recognised.value
  switch (what.kind) {
    case 'empty':
      return 'Two to six shapes, such as 2,3,4 and 3,1. N names a size, ? is one that is not known, () is a scalar.'
    case 'shapes':
      return `${what.shapes.length === 1 ? 'One shape' : `${what.shapes.length} shapes`}. N names a size, ? is one that is not known, () is a scalar.`
    case 'expression':
      return 'An expression with the sizes of its arrays.'
    case 'message': {
      const count = messages.value.length
      if (count === 0) return 'A text.'
      return count === 1 ? 'An error message.' : `A text with ${count} error messages.`
    }
  }
}

export function Field(): VNode {
  const { text } = state.value
  return (
    <div class={isDropping.value ? 'field dropping' : 'field'}>
      <label for="field">Shapes, an error message, an expression with sizes, or a file</label>
      <textarea
        id="field"
        class={text.length > LONG ? 'mono long' : 'mono'}
        rows={rowsOf(text)}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        aria-describedby="taken-for"
        placeholder="2,3,4  3,1"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          fileNote.value = ''
          update((now) => asked(now, { text: value }), 'text')
        }}
      />
      <div class="below">
        <p id="taken-for" class="quiet small">
          {takenFor()}
        </p>
        <FileChoice />
      </div>
      {fileNote.value !== '' && (
        <p class="note" role="status">
          {fileNote.value}
        </p>
      )}
      {fileProblem.value !== '' && (
        <p class="note error" role="alert">
          {fileProblem.value}
        </p>
      )}
    </div>
  )
}
