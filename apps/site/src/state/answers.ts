// What follows from the state: what the text is, what was read in it, and the answer. Readers of messages and
// expressions are loaded with the first text that needs them.
import type { Explained } from '@bcast/cli/messages'
import { parseShape, UsageError } from '@bcast/cli/shapes'
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { Inferred } from '../recognise/expression.ts'
import { recognise, shapesWithin } from '../recognise/recognise.ts'
import { type Answer, answerOf, answerShapes, MOST_SHAPES } from './question.ts'
import { shortText, state } from './store.ts'

// What an answer depends on, each by itself: going from element to element explains nothing anew.
const text = computed(() => state.value.text)
const rule = computed(() => state.value.rule)
const onto = computed(() => state.value.onto)
const fix = computed(() => state.value.fix)

export const recognised = computed(() => recognise(text.value))

type Loaded =
  | { readonly kind: 'none' }
  | { readonly kind: 'reading' }
  | { readonly kind: 'messages'; readonly text: string; readonly found: readonly Explained[] }
  | { readonly kind: 'expression'; readonly text: string; readonly inferred: Inferred }
  | { readonly kind: 'failed' }

const loaded = signal<Loaded>({ kind: 'none' })

async function read(given: string): Promise<Loaded> {
  const what = recognise(given)
  if (what.kind === 'message') {
    const { readMessages, explained } = await import('@bcast/cli/messages')
    return { kind: 'messages', text: given, found: readMessages(what.text).slice(0, MOST_FOUND).map(explained) }
  }
  if (what.kind === 'expression') {
    const { inferExpression } = await import('../recognise/expression.ts')
    return { kind: 'expression', text: given, inferred: inferExpression(what) }
  }
  return { kind: 'none' }
}

/** A log may have one message for every batch. */
const MOST_FOUND = 50

effect(() => {
  const given = text.value
  const { kind } = recognised.value
  if (kind !== 'message' && kind !== 'expression') {
    loaded.value = { kind: 'none' }
    return
  }
  const before = loaded.peek()
  if ('text' in before && before.text === given) return
  loaded.value = { kind: 'reading' }
  read(given)
    .catch((): Loaded => ({ kind: 'failed' }))
    .then((found) => {
      if (state.peek().text === given) loaded.value = found
    })
})

/** Every message of the text. */
export const messages: ReadonlySignal<readonly Explained[]> = computed(() =>
  loaded.value.kind === 'messages' ? loaded.value.found : [],
)

/** The message that is looked at. */
export const message: ReadonlySignal<Explained | undefined> = computed(
  () => messages.value[state.value.finding] ?? messages.value[0],
)

effect(() => {
  shortText.value = message.value?.reading.text
})

/** The expression that was read. */
export const expression: ReadonlySignal<Inferred | undefined> = computed(() =>
  loaded.value.kind === 'expression' ? loaded.value.inferred : undefined,
)

const problem = (text: string): Answer => ({ kind: 'problem', text })

function answerMessage(found: Explained): Answer {
  const { finding } = found.reading
  if (finding.kind === 'shapes') return answerOf({ shapes: finding.shapes, rule: finding.rule, onto: 0 }, fix.value)
  return { kind: 'problem', text: '' }
}

/** The answer to what is asked; undefined while it is read, and where there is nothing to ask. */
export const answer: ReadonlySignal<Answer | undefined> = computed(() => {
  const what = recognised.value
  if (what.kind === 'empty') return undefined
  if (what.kind === 'shapes') return answerShapes(what.shapes, { rule: rule.value, onto: onto.value, fix: fix.value })
  if (loaded.value.kind === 'failed') return problem('A part of the page did not load. Load the page again.')
  if (what.kind === 'expression') {
    const inferred = expression.value
    if (inferred === undefined) return undefined
    return inferred.kind === 'problem' ? inferred : answerOf(inferred.question, fix.value)
  }
  if (loaded.value.kind !== 'messages') return undefined
  return message.value === undefined ? nothingRead(what.text) : answerMessage(message.value)
})

/** What is wrong with a text that is almost shapes; else what the field takes, and the shapes that are in it. */
function nothingRead(text: string): Answer {
  const parts = text.split(/\s+/)
  if (text.length <= MOST_ALMOST && parts.every((part) => /^[\d?([-]/.test(part))) {
    try {
      for (const part of parts) parseShape(part)
    } catch (error) {
      if (error instanceof UsageError) return problem(error.message)
      throw error
    }
  }
  const within = shapesWithin(text).slice(0, MOST_SHAPES)
  return { kind: 'problem', text: NOTHING_READ, ...(within.length > 1 ? { meant: within.join('  ') } : {}) }
}

const MOST_ALMOST = 300
const NOTHING_READ =
  'No shapes, no expression with sizes, and no error message about shapes that bcast knows. Shapes are sizes with commas, such as 2,3,4 and 3,1.'
