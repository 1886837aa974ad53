// The page: the field, what was read in it, the verdict, the views, and examples beside them.
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { CopyLink, CopySaid } from './parts/copy.tsx'
import { Field } from './parts/field.tsx'
import { Fixes } from './parts/fixes.tsx'
import { Gallery } from './parts/gallery.tsx'
import { lazy } from './parts/lazy.tsx'
import { RuleChoice } from './parts/rule-choice.tsx'
import { Verdict } from './parts/verdict.tsx'
import { answer, expression, message } from './state/answers.ts'
import type { Answered } from './state/question.ts'
import { asked, type ViewId } from './state/state.ts'
import { addressProblems, state, update } from './state/store.ts'
import { switchTheme, theme } from './theme.ts'
import { views } from './views/registry.ts'

const NodeNote = lazy(() => import('./model/node-note.tsx').then((module) => module.NodeNote))
/** The words of messages come with the reader of messages. */
const Reading = lazy(() => import('./parts/reading.tsx').then((module) => module.Reading))

/** So much of the tab before the open one is seen. */
const PEEK = 40

function Tabs(): VNode {
  const { view } = state.value
  const tabs = useRef<HTMLElement>(null)
  // Where there is no room for all of them, the one that is open is in sight.
  useEffect(() => {
    const open = tabs.current?.querySelector<HTMLElement>('[aria-current]')
    if (open) tabs.current!.scrollLeft = open.offsetLeft - tabs.current!.offsetLeft - PEEK
  }, [view])
  return (
    <nav class="tabs" aria-label="Views" ref={tabs}>
      {(Object.keys(views) as ViewId[]).map((id) => (
        <button
          key={id}
          type="button"
          aria-current={id === view ? 'page' : undefined}
          onClick={() => update((now) => ({ ...now, view: id }))}
        >
          {views[id].label}
        </button>
      ))}
    </nav>
  )
}

/** What an expression gives, in a line. */
function ExpressionLine(): VNode | null {
  const found = expression.value
  if (found?.kind !== 'inferred') return null
  const { names, shape } = found
  return (
    <p class="note">
      <code>{found.expression}</code> gives ({shape.join(',')}). Its arrays as they meet:{' '}
      {names.map((name, i) => `${String.fromCharCode(65 + i)} is ${name}`).join(', ')}.
    </p>
  )
}

function Answer({ found }: { readonly found: Answered }): VNode | null {
  const view = views[state.value.view]
  if ('Alone' in view) return null
  const { Component } = view
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

/** What the field asks: what was read in it, and the answer. */
function Asked(): VNode {
  const found = answer.value
  return (
    <>
      {state.value.node !== undefined && <NodeNote />}
      {message.value !== undefined && <Reading />}
      <ExpressionLine />
      {found?.kind === 'problem' && found.text !== '' && (
        <pre class="note error" role="alert">
          {found.text}
        </pre>
      )}
      {found?.kind === 'problem' && found.meant !== undefined && (
        <p>
          <button type="button" onClick={() => update((now) => asked(now, { text: found.meant! }))}>
            Show the shapes in it: <span class="mono">{found.meant}</span>
          </button>
        </p>
      )}
      {found?.kind === 'answer' && <Answer found={found} />}
    </>
  )
}

export function Page(): VNode {
  const view = views[state.value.view]
  return (
    <>
      <header>
        <p class="name">
          <a href="./">bcast</a> <span class="quiet">see broadcasting happen</span>
        </p>
        <nav aria-label="Page">
          <a href={DOCUMENTATION}>Docs</a>
          <CopyLink />
          <button type="button" onClick={switchTheme}>
            {theme.value === 'dark' ? 'Light' : 'Dark'}
          </button>
        </nav>
      </header>
      <div class="columns">
        <main>
          <h1 class="unseen">See broadcasting happen</h1>
          {addressProblems.value.map((text) => (
            <p key={text} class="note open" role="alert">
              {text}
            </p>
          ))}
          <Field />
          {'Alone' in view ? (
            <>
              <Tabs />
              <view.Alone />
            </>
          ) : (
            <Asked />
          )}
        </main>
        <Gallery />
      </div>
      <footer class="quiet small">
        <p>Everything is computed in this page. Nothing is uploaded.</p>
        {!crossOriginIsolated && (
          <p>
            It computes on one thread. More need a server that sends Cross-Origin-Opener-Policy: same-origin and
            Cross-Origin-Embedder-Policy: require-corp; bcast playground does.
          </p>
        )}
      </footer>
      <CopySaid />
    </>
  )
}
