// The engine at an expression: how its axes are joined and its operands move, the plan, the code of its kernels, and what
// it takes on this machine.
import '../engine/engine.css'
import type { Shape } from 'bcast'
import type { InspectedStep, Inspection } from 'bcast/debug'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { Bars } from '../engine/bars.tsx'
import { engine, inspect, measure, stop, threads } from '../engine/session.ts'
import { copyText } from '../parts/copy.tsx'
import { expression } from '../state/answers.ts'
import { asked } from '../state/state.ts'
import { update } from '../state/store.ts'

const EXAMPLE = '(x - m) / s  x=4096,4096 m=4096 s=4096'

function Invitation(): VNode {
  return (
    <div class="note">
      <p>
        The engine computes expressions. Type one above, with the sizes of its arrays behind it, such as{' '}
        <code>{EXAMPLE}</code>
      </p>
      <button type="button" onClick={() => update((now) => asked(now, { text: EXAMPLE, rule: {} }))}>
        Show this one
      </button>
    </div>
  )
}

const motions = {
  splat: 'splat: one element, repeated',
  unit: 'unit: element by element',
  strided: 'strided: in steps',
} as const

const list = (numbers: readonly number[]): string => (numbers.length === 0 ? '()' : numbers.join(' × '))

/** What stands behind an operand; on a phone each is a line of its own. */
const COLUMNS = ['Strides on the axes', 'Strides in the loops', 'On the innermost'] as const

/** Axes before and after they are joined, with the stride of each operand. */
function Axes({ step, names }: { readonly step: InspectedStep; readonly names: readonly string[] }): VNode {
  const { shape, loops, operands } = step
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, by keyboard too.
    <section class="scroll" tabIndex={0} aria-label="Axes and operands">
      <table class="rules axes">
        <caption class="quiet small">
          {shape.length} {shape.length === 1 ? 'axis' : 'axes'} ({shape.join(',')}) become {loops.length}{' '}
          {loops.length === 1 ? 'loop' : 'loops'}: {list(loops)}. Strides are in elements; 0 repeats.
        </caption>
        <thead>
          <tr>
            <th scope="col">Operand</th>
            {COLUMNS.map((title) => (
              <th scope="col" key={title}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {operands.map(({ operand, strides, steps, motion }, i) => (
            <tr key={`${operand} ${i}`}>
              <th scope="row">{operand === undefined ? 'an earlier step' : (names[operand] ?? 'a constant')}</th>
              {[strides.join(' ') || '–', steps.join(' '), motions[motion]].map((text, column) => (
                <td key={COLUMNS[column]} class={column < 2 ? 'mono' : undefined} data-title={COLUMNS[column]}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Kernels({ step }: { readonly step: InspectedStep }): VNode {
  return (
    <>
      {step.kernels.map(({ signature, lanes, bytes, text }) => (
        <details key={signature} class="kernel">
          <summary>
            Kernel <code>{signature}</code>{' '}
            <span class="quiet">
              {lanes} elements at once, {bytes} bytes, {text.split('\n').length} lines of WebAssembly text
            </span>
          </summary>
          <button type="button" onClick={() => copyText(text, 'Kernel')}>
            Copy
          </button>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text scrolls, by keyboard too. */}
          <pre class="scroll small" tabIndex={0}>
            {text}
          </pre>
        </details>
      ))}
    </>
  )
}

const passesText = (passes: number): string =>
  passes === 1 ? 'Memory is passed over once.' : `Memory is passed over ${passes} times.`

function Shown({ inspection, names }: { readonly inspection: Inspection; readonly names: readonly string[] }): VNode {
  const { passes, steps } = inspection
  return (
    <>
      {steps.map((step, i) => (
        <section key={step.plan} aria-label={`Step ${i + 1}`}>
          <h2>{steps.length === 1 ? 'Axes and operands' : `Step ${i + 1}`}</h2>
          <Axes step={step} names={names} />
          <h2>Plan</h2>
          {i === 0 && <p class="quiet small">{passesText(passes.passes)}</p>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide text scrolls, by keyboard too. */}
          <pre class="scroll small plan" tabIndex={0}>
            {step.plan}
          </pre>
          <h2>Code</h2>
          <Kernels step={step} />
        </section>
      ))}
    </>
  )
}

const THREADS =
  threads > 1
    ? `Threads are on: up to ${threads}.`
    : crossOriginIsolated
      ? 'This machine has one core, so there is one thread.'
      : 'One thread: this page is not isolated. Its foot says how to get more.'

function Measured(): VNode {
  const { times, isMeasuring, problem } = engine.value
  return (
    <section aria-label="Measured here">
      <h2>On this machine</h2>
      <p class="quiet small">
        Times are medians of several warm calls, in float32, in a worker; all compute the same. {THREADS}
      </p>
      <div class="tools">
        {isMeasuring ? (
          <button type="button" onClick={stop}>
            Stop
          </button>
        ) : (
          <button type="button" onClick={measure}>
            {times.length === 0 ? 'Measure' : 'Measure again'}
          </button>
        )}
        <span role="status">{isMeasuring ? 'Measuring…' : times.length > 0 ? 'Measured.' : ''}</span>
      </div>
      {problem !== '' && (
        <pre class="note error" role="alert">
          {problem}
        </pre>
      )}
      <Bars times={times} />
    </section>
  )
}

export function EngineView(): VNode {
  const found = expression.value
  const question =
    found?.kind === 'inferred'
      ? {
          expression: found.expression,
          arrays: found.names.map((name, i) => ({ name, shape: found.question.shapes[i] as Shape })),
        }
      : undefined
  const key = JSON.stringify(question)
  useEffect(() => {
    if (question !== undefined) inspect(question)
  }, [key])
  if (question === undefined || found?.kind !== 'inferred') return <Invitation />
  const { inspection, question: shown } = engine.value
  const isShown = JSON.stringify(shown) === key
  return (
    <div class="engine">
      <Measured />
      {isShown && inspection !== undefined ? (
        <Shown inspection={inspection} names={found.names} />
      ) : (
        <p class="note quiet">Loading…</p>
      )}
    </div>
  )
}
