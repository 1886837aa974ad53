// The broadcast with values: an operator, a type, elements that can be typed, and what the engine computes of them.
import type { DType, Shape, Tensor } from 'bcast'
import type { VNode } from 'preact'
import { FigurePicture } from '../parts/figure-picture.tsx'
import { Sizes } from '../parts/sizes.tsx'
import { type Figure, figureOf, operandLetter } from '../picture/figure.ts'
import { shownIndices } from '../picture/move.ts'
import type { CellText } from '../picture/panel.ts'
import { sourcesOf } from '../state/index-map.ts'
import type { Answered } from '../state/question.ts'
import { state, update } from '../state/store.ts'
import { tried } from '../state/trial.ts'
import { type Computed, compute, countOf, indicesOf, keptProblem, keyOf, MOST_ELEMENTS } from '../values/compute.ts'
import { elementText } from '../values/elements.ts'
import { operatorFor, operatorsFor, signOf, typeFor, typesFor } from '../values/operator-choice.ts'
import { loadReal } from '../values/real.ts'

/** Longer texts are cut in their cell; the line below has them whole. */
const LONGEST = 12

/** Fields for more elements than this would be a page of their own. */
const MOST_FIELDS = 60

function Choices({ count }: { readonly count: number }): VNode {
  const operator = operatorFor(state.value.operator, count)
  return (
    <div class="rule">
      <span class="option">
        <label for="operator">Operator</label>
        <select
          id="operator"
          value={operator.name}
          onChange={({ currentTarget: { value } }) => update((now) => ({ ...now, operator: value }))}
        >
          {operatorsFor(count).map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </span>
      <span class="option">
        <label for="dtype">Element type</label>
        <select
          id="dtype"
          value={typeFor(state.value.dtype, operator)}
          onChange={({ currentTarget: { value } }) => update((now) => ({ ...now, dtype: value, values: {} }))}
        >
          {typesFor(operator).map((dtype) => (
            <option key={dtype} value={dtype}>
              {dtype}
            </option>
          ))}
        </select>
      </span>
      <span class="quiet small">{operator.help}</span>
    </div>
  )
}

interface ElementsProps {
  readonly operand: number
  readonly tensor: Tensor
}

/** A field for every element of an operand, in rows of its last axis. */
function Elements({ operand, tensor }: ElementsProps): VNode {
  const { shape, dtype } = tensor
  const letter = operandLetter(operand)
  const indices = indicesOf(shape).slice(0, MOST_FIELDS)
  const columns = Math.min(shape.at(-1) ?? 1, 12)
  return (
    <fieldset class="elements">
      <legend>
        {letter} <span class="quiet">({shape.join(',')})</span>
        {countOf(shape) > MOST_FIELDS && <span class="quiet">, the first {MOST_FIELDS}</span>}
      </legend>
      <div class={`element-grid columns-${columns}`}>
        {indices.map((index) => {
          const key = keyOf(operand, index)
          return (
            <input
              key={key}
              class="mono"
              aria-label={`${letter}[${index.join(',')}]`}
              value={state.value.values[key] ?? elementText(tensor.get(...index), dtype)}
              onChange={({ currentTarget: { value } }) =>
                update((now) => ({ ...now, values: { ...now.values, [key]: value.slice(0, 60) } }), `value ${key}`)
              }
            />
          )
        })}
      </div>
    </fieldset>
  )
}

const marks = {
  wrapped: 'wrapped around',
  rounded: 'rounded',
  nan: 'not a number',
} as const

/** The digits that an element has, all of them. */
const allDigits = (element: unknown, dtype: DType): string =>
  typeof element === 'number' && !Number.isInteger(element) ? String(element) : elementText(element, dtype)

/** The chosen element, in numbers. */
function ChosenLine({ computed, cell }: { readonly computed: Computed; readonly cell: readonly number[] }): VNode {
  const { result, markAt } = computed
  const mark = markAt(cell)
  return (
    <p class="chosen-line">
      z[{cell.join(',')}] is <code>{allDigits(result!.get(...cell), result!.dtype)}</code> in {result!.dtype}
      {mark === undefined ? '.' : `: ${marks[mark]}.`}
    </p>
  )
}

/** Characters of the longest text among the cells that are shown. */
function longestText(
  figure: Figure,
  textAt: (array: number | 'result', index: readonly number[]) => CellText | undefined,
): number {
  const shown = shownIndices(figure.operands[0]!.axes.map(({ size }) => size))
  const indices = shown.reduce<number[][]>((all, own) => all.flatMap((index) => own.map((i) => [...index, i])), [[]])
  const arrays = [...figure.operands.keys(), 'result' as const]
  const longest = Math.max(
    1,
    ...arrays.flatMap((array) => indices.map((index) => textAt(array, index)?.text.length ?? 0)),
  )
  return Math.min(longest, LONGEST)
}

export function ValuesView({ answer }: { readonly answer: Answered }): VNode {
  const { question } = answer
  if (question.shapes.some((shape) => shape === null)) {
    return <p class="note quiet">There are no values of a shape whose number of axes is not known.</p>
  }
  const shown = tried(answer, state.value.sizes)
  const shapes = shown.shapes as readonly Shape[]
  if (shown.verdict === 'error') {
    return (
      <>
        <Sizes answer={answer} />
        <p class="note error">These shapes do not meet, so nothing is computed.</p>
      </>
    )
  }
  const most = Math.max(...[...shapes, shown.shape as Shape].map(countOf))
  const operator = operatorFor(state.value.operator, shapes.length)
  const dtype = typeFor(state.value.dtype, operator)
  if (most > MOST_ELEMENTS) {
    return (
      <>
        <Sizes answer={answer} />
        <p class="note quiet">
          {most.toLocaleString('en')} elements; values are shown of up to {MOST_ELEMENTS.toLocaleString('en')}. Smaller
          sizes show the same.
        </p>
      </>
    )
  }
  if (dtype === 'real' && !loadReal()) return <p class="note quiet">Loading exact arithmetic…</p>
  const kept = keptProblem({ rule: question.rule, operator }, question.onto)
  const computed = compute({ shapes, rule: question.rule, operator, dtype, typed: state.value.values })
  const figure = figureOf(shown)
  const sourceAt = (operand: number, index: readonly number[]): readonly number[] =>
    sourcesOf(shapes, question.rule, question.onto, index)[operand]!.index.map(({ at }) => at ?? 0)
  const textAt = (array: number | 'result', index: readonly number[]): CellText | undefined => {
    if (array !== 'result') {
      const tensor = computed.operands[array]!
      return { text: elementText(tensor.get(...sourceAt(array, index)), tensor.dtype) }
    }
    const { result } = computed
    if (result === undefined) return undefined
    const mark = computed.markAt(index)
    return { text: elementText(result.get(...index), result.dtype), strange: mark === 'wrapped' || mark === 'nan' }
  }
  const { cell } = state.value
  const isChosen =
    cell !== undefined &&
    cell.length === shown.shape!.length &&
    cell.every((i, axis) => i < (shown.shape![axis] as number))
  return (
    <>
      <Choices count={shapes.length} />
      <Sizes answer={answer} />
      {kept !== undefined && <p class="note open">{kept}</p>}
      {computed.problems.map((text) => (
        <p key={text} class="note error" role="alert">
          {text}
        </p>
      ))}
      {figure === undefined ? (
        <p class="note quiet">Pictures have up to four axes.</p>
      ) : (
        <FigurePicture
          figure={computed.result === undefined ? { ...figure, result: undefined } : figure}
          question={question}
          explanation={shown}
          sign={signOf(operator)}
          textAt={textAt}
          longest={longestText(figure, textAt)}
        >
          {isChosen && computed.result !== undefined && <ChosenLine computed={computed} cell={cell} />}
        </FigurePicture>
      )}
      <div class="element-fields">
        {computed.operands.map((tensor, operand) => (
          <Elements key={operandLetter(operand)} operand={operand} tensor={tensor} />
        ))}
      </div>
    </>
  )
}
