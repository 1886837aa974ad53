// The page: the field, the verdict, the views of it.
import type { VNode } from 'preact'
import { Field } from './parts/field.tsx'
import { Fixes } from './parts/fixes.tsx'
import { RuleChoice } from './parts/rule-choice.tsx'
import { Verdict } from './parts/verdict.tsx'
import { answer } from './state/answers.ts'
import type { Answered } from './state/question.ts'
import type { ViewId } from './state/state.ts'
import { addressProblems, state, update } from './state/store.ts'
import { switchTheme, theme } from './theme.ts'
import { views } from './views/registry.ts'

function Tabs(): VNode {
  const { view } = state.value
  return (
    <nav class="tabs" aria-label="Views">
      {(Object.keys(views) as ViewId[]).map((id) => (
        <button
          key={id}
          type="button"
          aria-current={id === view ? 'page' : undefined}
          onClick={() => update((now) => ({ ...now, view: id }))}
        >
          {views[id]!.label}
        </button>
      ))}
    </nav>
  )
}

function Answer({ found }: { readonly found: Answered }): VNode {
  const { Component } = views[state.value.view]!
  return (
    <>
      <RuleChoice question={found.question} />
      <Verdict explanation={found.explanation} />
      <Fixes answer={found} />
      <Tabs />
      <Component answer={found} />
    </>
  )
}

export function Page(): VNode {
  const found = answer.value
  return (
    <>
      <header>
        <p class="name">
          <a href="./">bcast</a> <span class="quiet">see broadcasting happen</span>
        </p>
        <button type="button" onClick={switchTheme}>
          {theme.value === 'dark' ? 'Light' : 'Dark'}
        </button>
      </header>
      <main>
        <h1 class="unseen">See broadcasting happen</h1>
        {addressProblems.value.map((text) => (
          <p key={text} class="note open" role="alert">
            {text}
          </p>
        ))}
        <Field />
        {found?.kind === 'problem' && found.text !== '' && (
          <pre class="note error" role="alert">
            {found.text}
          </pre>
        )}
        {found?.kind === 'answer' && <Answer found={found} />}
      </main>
      <footer class="quiet small">Everything is computed in this page. Nothing is uploaded.</footer>
    </>
  )
}
