// What can be read out of an error message. A form is one wording of one framework: a pattern over the text and what
// follows from its parts. Messages say different amounts, and a reading never claims more than its message.
import type { Dim, Rule, SymbolicShape } from 'bcast'

/** How each framework is called in texts, by the name that --from takes. */
export const frameworks = {
  numpy: 'NumPy',
  torch: 'PyTorch',
  tensorflow: 'TensorFlow',
  tfjs: 'TensorFlow.js',
  jax: 'JAX',
  onnxruntime: 'ONNX Runtime',
  openvino: 'OpenVINO',
} as const

export type Framework = keyof typeof frameworks

export type Finding =
  /** The shapes, and the rule under which they were to meet. */
  | { readonly kind: 'shapes'; readonly shapes: readonly SymbolicShape[]; readonly rule: Rule }
  /** Two sizes that were to meet, and the axis of the result counted from the left if the message has it. */
  | {
      readonly kind: 'sizes'
      readonly sizes: readonly [Dim, Dim]
      readonly names: readonly [string, string]
      readonly axis: number | undefined
      /** What the framework's way of looking tells besides. */
      readonly known?: string
      /** How to learn the shapes. */
      readonly next: string
    }
  /** A broadcast that failed, and not even a size. */
  | { readonly kind: 'silent'; readonly next: string }
  /** No broadcast at all. */
  | { readonly kind: 'other'; readonly about: string; readonly text: string }

export type Parts = Readonly<Record<string, string | undefined>>

export interface Form {
  /** Unique within its framework. */
  readonly name: string
  /** Over text in which every run of spaces and line ends is one space. */
  readonly pattern: RegExp
  /** Undefined where the parts show that it is another message after all. */
  readonly read: (parts: Parts) => (Finding & { readonly where?: string }) | undefined
}

/** A shape in brackets of any kind. */
export const SHAPE: string = String.raw`[(\[{][^()\[\]{}]*[)\]}]`
/** Shapes with commas, spaces or `vs.` between them. */
export const SHAPES: string = String.raw`${SHAPE}(?:(?:,| and| vs\.)? ?${SHAPE})*`

function dimOf(text: string): Dim {
  if (/^\d+$/.test(text)) return Number(text)
  const interval = /^(\d*)\.\.(\d*)$/.exec(text)
  if (interval !== null) return { min: Number(interval[1]), max: interval[2] === '' ? null : Number(interval[2]) }
  // None, ? and -1 are sizes that are not known.
  return /^[A-Za-z_]\w*$/.test(text) && text !== 'None' ? text : null
}

/** `(2, 3)`, `[?,64]`, `{2,3}`, `2,3`; `[...]` has no known rank. */
export function shapeIn(text: string): SymbolicShape {
  const inner = text.replace(/^[([{]|[)\]}]$/g, '').trim()
  if (inner === '...' || inner === '?...') return null
  const parts = inner.split(',').map((part) => part.trim())
  // NumPy ends a shape of one size with a comma.
  if (parts.at(-1) === '') parts.pop()
  return parts.map(dimOf)
}

/** Every shape in brackets of a text. */
export const shapesIn = (text: string): SymbolicShape[] => (text.match(new RegExp(SHAPE, 'g')) ?? []).map(shapeIn)

/** A size of a message, by number or by name. */
export const sizeIn = (text: string): Dim => dimOf(text.trim())

const shown = (shape: SymbolicShape): string =>
  shape === null ? '(?…)' : `(${shape.map((dim) => (dim === null ? '?' : String(dim))).join(',')})`

/** A matrix product whose inner sizes differ. */
export function productFinding(a: SymbolicShape, b: SymbolicShape): Finding {
  const [inner, other] = [a?.at(-1), b?.at(b.length === 1 ? -1 : -2)]
  const fits = b !== null && b.length > 1 && inner !== undefined && b.at(-1) === inner
  const text = [
    `a matrix product, no broadcast: ${shown(a)} times ${shown(b)} needs the last size of the left to be the second`,
    `last of the right, and they are ${String(inner ?? '?')} and ${String(other ?? '?')}.`,
    ...(fits ? [`The right one transposed would fit: ${shown([...b.slice(0, -2), b.at(-1)!, b.at(-2)!])}.`] : []),
  ].join(' ')
  return { kind: 'other', about: 'matrix product', text }
}

/** Joining along an axis. */
export const concatenationFinding = (text: string): Finding => ({
  kind: 'other',
  about: 'concatenation',
  text: `a concatenation, no broadcast: ${text} Sizes must be equal on every axis but the one that is joined; a size 1 does not stretch.`,
})

/** Another shape for the same elements. */
export const reshapeFinding = (text: string): Finding => ({
  kind: 'other',
  about: 'reshape',
  text: `a reshape, no broadcast: ${text} The number of elements must stay the same.`,
})
