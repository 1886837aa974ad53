// What would help: the library's fixes, each applied by a button and undone by another; and what holds and is rarely
// meant, with what it costs.
import type { Explanation, Fix, Shape } from 'bcast'
import type { VNode } from 'preact'
import { recognised } from '../state/answers.ts'
import type { Answered } from '../state/question.ts'
import { state, update } from '../state/store.ts'
import { ShapeText } from './shape-text.tsx'

const BYTES = 4

const count = (shape: Shape): number => shape.reduce((product, size) => product * size, 1)

const isKnown = (shape: Explanation['shapes'][number]): shape is Shape =>
  shape?.every((dim) => typeof dim === 'number') ?? false

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB']

/** `4.0 MB` */
export function bytesText(bytes: number): string {
  let [size, unit] = [bytes, 0]
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1]
  return `${unit === 0 ? size : size.toPrecision(3)} ${UNITS[unit]}`
}

/** What a result that nobody meant costs. */
function outerText({ shapes, shape }: Explanation): string {
  if (!shapes.every(isKnown) || shape === undefined || !isKnown(shape)) return ''
  const [own, made] = [Math.max(...shapes.map(count)), count(shape)]
  return ` The operands have ${own.toLocaleString('en')} elements each, the result ${made.toLocaleString('en')}: ${bytesText(made * BYTES)} in float32.`
}

function FixButton({ fix, number }: { readonly fix: Fix; readonly number: number }): VNode {
  return (
    <li>
      <button
        type="button"
        class="fix"
        onClick={() => update((now) => ({ ...now, fix: number, cell: undefined, sizes: {} }))}
      >
        <span>
          {fix.text} → <ShapeText shape={fix.result} />
          {fix.verdict === 'conditional' && ', conditionally'}
        </span>
        <code>{fix.code}</code>
      </button>
    </li>
  )
}

/** A fix as it was applied. */
function Applied({ fix }: { readonly fix: Fix }): VNode {
  return (
    <div class="applied" role="status">
      <span>
        Applied: {fix.text}. <code>{fix.code}</code>
      </span>
      <button type="button" onClick={() => update((now) => ({ ...now, fix: undefined, cell: undefined }))}>
        Undo
      </button>
    </div>
  )
}

export function Fixes({ answer: { given } }: { readonly answer: Answered }): VNode | null {
  const applied = state.value.fix === undefined ? undefined : given.fixes[state.value.fix]
  if (applied !== undefined) return <Applied fix={applied} />
  // A framework has one rule, and no other can be asked for.
  const isOpen = recognised.value.kind === 'shapes'
  const fixes = given.fixes
    .map((fix, number) => ({ fix, number }))
    .filter(({ fix }) => isOpen || fix.rule.label === given.rule)
  if (fixes.length === 0 && given.warning === undefined) return null
  return (
    <section class="fixes" aria-label="Fixes">
      {given.warning !== undefined && (
        <p class="note open">
          Rarely meant: {given.warning}.{outerText(given)}
        </p>
      )}
      {fixes.length > 0 && <h2>{given.verdict === 'error' ? 'What would fix it' : 'Perhaps you meant'}</h2>}
      <ul>
        {fixes.map(({ fix, number }) => (
          <FixButton key={fix.text} fix={fix} number={number} />
        ))}
      </ul>
    </section>
  )
}
