// The same operands under every rule, side by side: which accept them, which shape comes of it, and why not.
import { BcastError, type Explanation, explain } from 'bcast'
import type { VNode } from 'preact'
import { ShapeText } from '../parts/shape-text.tsx'
import { comparedRules } from '../state/compared-rules.ts'
import type { Answered, Question } from '../state/question.ts'
import { rebased } from '../state/rebase.ts'
import { asked } from '../state/state.ts'
import { update } from '../state/store.ts'
import { optionsOf } from '../state/typed.ts'

type Outcome = Explanation | { readonly verdict: 'refused'; readonly text: string }

function outcomeOf({ shapes, onto }: Question, rule: Question['rule']): Outcome {
  try {
    return explain(shapes, { broadcast: rule, onto })
  } catch (error) {
    if (error instanceof BcastError) return { verdict: 'refused', text: error.message }
    throw error
  }
}

/** The same rule with other options, where that would hold: another axis. */
const otherOptions = ({ verdict, fixes }: Explanation, name: string): string | undefined =>
  verdict !== 'error'
    ? undefined
    : fixes.find(({ edits, rule }) => edits.length === 0 && rule.name === name)?.rule.label

const words = { ok: 'holds', conditional: 'holds if', error: 'fails', refused: 'fails' } as const
const looks = { ok: 'ok', conditional: 'open', error: 'error', refused: 'error' } as const

function Reason({ outcome, name }: { readonly outcome: Outcome; readonly name: string }): VNode {
  if (outcome.verdict === 'refused') return <span>{outcome.text}</span>
  const { verdict, sentence, shape } = outcome
  if (verdict === 'ok') {
    return (
      <>
        gives <ShapeText shape={shape!} />
      </>
    )
  }
  const other = otherOptions(outcome, name)
  return (
    <>
      {sentence}.{other !== undefined && <span class="quiet"> {other} would hold.</span>}
    </>
  )
}

export function RulesView({ answer: { question } }: { readonly answer: Answered }): VNode {
  const use = (rule: Question['rule']): void => update((now) => asked(rebased(now), { rule: optionsOf(rule) }))
  return (
    <section class="scroll" aria-label="Rules compared">
      <table class="rules">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Verdict</th>
            <th scope="col">Result, or why not</th>
            <th scope="col">
              <span class="unseen">Choose</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {comparedRules(question).map((rule) => {
            const outcome = outcomeOf(question, rule)
            const isChosen = rule.label === question.rule.label
            return (
              <tr key={rule.label} class={isChosen ? 'chosen' : undefined}>
                <th scope="row">
                  {rule.label} <span class="quiet small">{rule.clause}</span>
                </th>
                <td>
                  <span class={`badge ${looks[outcome.verdict]}`}>
                    <strong>{words[outcome.verdict]}</strong>
                  </span>
                </td>
                <td>
                  <Reason outcome={outcome} name={rule.name} />
                </td>
                <td>
                  <button
                    type="button"
                    disabled={isChosen}
                    aria-label={isChosen ? undefined : `Use ${rule.label}`}
                    onClick={() => use(rule)}
                  >
                    {isChosen ? 'in use' : 'Use'}
                  </button>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
