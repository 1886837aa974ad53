// The verdict in the library's words.
import type { Explanation } from 'bcast'
import type { VNode } from 'preact'

const marks: Readonly<Record<Explanation['verdict'], readonly [sign: string, word: string, look: string]>> = {
  ok: ['✓', 'They meet', 'ok'],
  conditional: ['≈', 'It depends', 'open'],
  error: ['✕', 'They do not meet', 'error'],
}

export function Verdict({ explanation }: { readonly explanation: Explanation }): VNode {
  const { verdict, sentence, rule, requirement, clause } = explanation
  const [sign, word, look] = marks[verdict]
  return (
    <div class={`verdict ${look}`} role="status">
      <p class="headline">
        <span class="mark" aria-hidden="true">
          {sign}
        </span>
        <strong>{word}:</strong> {sentence}.
      </p>
      {verdict === 'error' && (
        <p class="small">
          Rule {rule}: {requirement} <span class="quiet">({clause})</span>
        </p>
      )}
    </div>
  )
}
