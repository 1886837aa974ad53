// The same broadcast, with the fix that was chosen, as code of each framework.
import { BcastError, broadcastShapes } from 'bcast'
import type { VNode } from 'preact'
import { type Language, languages } from '../code/languages.ts'
import { type CodePlan, fixedShapes, planOf } from '../code/plan.ts'
import { isVerified } from '../code/verify.ts'
import { copyText } from '../parts/copy.tsx'
import { Sizes } from '../parts/sizes.tsx'
import type { Answered } from '../state/question.ts'
import { state } from '../state/store.ts'
import { sizesFor, withSizes } from '../state/trial.ts'

/** bcast's own code has the rule itself, which is asked instead of numpy's. */
function isRight({ name }: Language, code: string, plan: CodePlan): boolean {
  if (name !== 'bcast') return isVerified(code, plan.result)
  try {
    return String(broadcastShapes(...fixedShapes(plan), { broadcast: plan.rule })) === String(plan.result)
  } catch (error) {
    if (error instanceof BcastError) return false
    throw error
  }
}

function Code({ language, plan }: { readonly language: Language; readonly plan: CodePlan }): VNode {
  const code = language.print(plan)
  const isChecked = isRight(language, code, plan)
  return (
    <figure class="code">
      <figcaption>
        <h2>{language.name}</h2>
        {isChecked && (
          <button
            type="button"
            aria-label={`Copy ${language.name} code`}
            onClick={() => copyText(code, `${language.name} code`)}
          >
            Copy
          </button>
        )}
      </figcaption>
      {isChecked ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, by keyboard too.
        <pre tabIndex={0}>{code}</pre>
      ) : (
        <p class="note quiet">There is no such call: {language.name} keeps another operand here.</p>
      )}
    </figure>
  )
}

export function CodeView({ answer }: { readonly answer: Answered }): VNode {
  const { question, given, explanation } = answer
  if (explanation.verdict === 'error') {
    return <p class="note quiet">These shapes do not meet. Apply one of the fixes above to see its code.</p>
  }
  if (given.shapes.some((shape) => shape === null)) {
    return <p class="note quiet">There is no code for a shape whose number of axes is not known.</p>
  }
  const { fix, operator, sizes } = state.value
  const chosen = fix === undefined ? undefined : given.fixes[fix]
  const shapes = withSizes(given.shapes, sizesFor(answer, sizes))
  const { rule, onto } = question
  const plan = planOf({ shapes, rule, onto, edits: chosen?.edits ?? [], operator })
  return (
    <>
      <Sizes answer={answer} />
      {typeof plan === 'string' ? (
        <p class="note quiet">{plan}</p>
      ) : (
        <>
          <p class="quiet small">
            Reshapes and transposes of each text were read back and lead to ({plan.result.join(',')}), as the library
            says.
          </p>
          <div class="codes">
            {languages.map((language) => (
              <Code key={language.name} language={language} plan={plan} />
            ))}
          </div>
        </>
      )}
    </>
  )
}
