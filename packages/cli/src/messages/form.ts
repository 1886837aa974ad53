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
  paddle: 'Paddle',
  tensorrt: 'TensorRT',
  mlx: 'MLX',
  candle: 'candle',
  coreml: 'Core ML',
  matlab: 'MATLAB',
  octave: 'Octave',
  julia: 'Julia',
} as const

export type Framework = keyof typeof frameworks

/** What people also call them. */
export const otherNames: Readonly<Record<string, Framework>> = {
  np: 'numpy',
  pytorch: 'torch',
  tf: 'tensorflow',
  keras: 'tensorflow',
  ort: 'onnxruntime',
  onnx: 'onnxruntime',
  paddlepaddle: 'paddle',
  trt: 'tensorrt',
  coremltools: 'coreml',
}

/** Frameworks that line shapes up at their first axis and pad at the end: (2,3) meets (2), not (3). */
export const fromFirstAxis: ReadonlySet<Framework> = new Set(['matlab', 'octave', 'julia'])

export type Finding =
  /** The shapes, and the rule under which they were to meet. */
  | {
      readonly kind: 'shapes'
      readonly shapes: readonly SymbolicShape[]
      readonly rule: Rule
      /** What to say where they do meet, if the framework did not refuse them. */
      readonly accepted?: string
    }
  /** Two sizes that were to meet, and the axis of the result counted from the left if the message has it. */
  | {
      readonly kind: 'sizes'
      readonly sizes: readonly [Dim, Dim]
      readonly names: readonly [string, string]
      readonly axis: number | undefined
      /** The axis in other words: `on the axes labelled j`. */
      readonly place?: string
      /** What the framework's way of looking tells besides. */
      readonly known?: string
      /** How to learn the shapes. */
      readonly next: string
    }
  /** A broadcast that failed, and not even a size. */
  | { readonly kind: 'silent'; readonly next: string }
  /** No broadcast at all. */
  | {
      readonly kind: 'other'
      readonly about: string
      readonly text: string
      /** The factors of a matrix product that cannot be. */
      readonly factors?: readonly [SymbolicShape, SymbolicShape]
    }

/** A finding, and the node, the operator or which operand is which. */
export type Found = Finding & { readonly where?: string }

export type Parts = Readonly<Record<string, string | undefined>>

export interface Form {
  /** Unique within its framework. */
  readonly name: string
  /**
   * Over text in which every run of spaces and line ends is one space. Logs are long: whatever it repeats without a
   * bound must end at a character that its own beginning has, or a text of many beginnings takes quadratic time.
   */
  readonly pattern: RegExp
  /** What may stand before it and tells more, over the text up to the pattern. */
  readonly before?: RegExp
  /** Undefined where the parts show that it is another message after all. */
  readonly read: (parts: Parts) => Found | undefined
}

/** No framework here has tensors of more axes. */
export const MOST_AXES = 64

/** A shape in brackets of any kind. */
export const SHAPE: string = String.raw`[(\[{][^()\[\]{}]*[)\]}]`
/** Shapes with commas, spaces or `vs.` between them. */
export const SHAPES: string = String.raw`${SHAPE}(?:(?:,| and| vs\.)? ?${SHAPE})*`

/** A size that numbers here cannot hold. It is not read, because a rounded one is a size that no message had. */
export class UnreadSize extends Error {
  readonly digits: string

  constructor(digits: string) {
    super(`the size ${digits}`)
    this.digits = digits
  }
}

/** The number that digits are, to the last of them. */
export function numberIn(digits: string): number {
  const number = Number(digits)
  if (!Number.isSafeInteger(number)) throw new UnreadSize(digits)
  return number
}

function dimOf(text: string): Dim {
  // Python 2 writes some as 3L.
  if (/^\d+L?$/.test(text)) return numberIn(text.replace('L', ''))
  const interval = /^(\d*)\.\.(\d*)$/.exec(text)
  if (interval !== null) return { min: numberIn(interval[1]!), max: interval[2] === '' ? null : numberIn(interval[2]!) }
  // PyTorch writes what a symbol was when it was traced: s27: hint = 2048.
  const [, name] = /^([A-Za-z_]\w*)(?:: hint = \d+)?$/.exec(text) ?? []
  // None, ? and -1 are sizes that are not known, and so is what is computed of symbols: s0*s53.
  return name === undefined || name === 'None' || name === 'null' ? null : name
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

/** A shape as these texts write it. */
export const shapeText = (shape: SymbolicShape): string =>
  shape === null ? '(?…)' : `(${shape.map((dim) => (dim === null ? '?' : sizeText(dim))).join(',')})`

const sizeText = (dim: Exclude<Dim, null>): string =>
  typeof dim === 'object' ? `${dim.min}..${dim.max ?? ''}` : String(dim)
