// Which elements one element of the result is made of: `z[1,2,0] = a[1,0] + b[2]`. Where an operand's axes go is the
// rule's to say.
import type { Rule, Shape } from 'bcast'

/** An index of one array; undefined where a whole axis takes part, as in a product of matrices. */
export interface Source {
  readonly name: string
  /** For each axis of its own: the index, and the axis of the result counted from the right. */
  readonly index: readonly { readonly at: number | undefined; readonly axis: number | undefined }[]
}

/** What the rules say of axes that have no place in the result. */
const NO_PART = -2

/** Where in each operand the element of the result at `index` comes from. */
export function sourcesOf(shapes: readonly Shape[], rule: Rule, onto: number, index: readonly number[]): Source[] {
  const alignment = rule.align(shapes, onto)
  if ('misfit' in alignment) return []
  return shapes.map((shape, operand) => ({
    name: String.fromCharCode(97 + operand),
    index: shape.map((size, own) => {
      const place = alignment.axes[operand]![own]!
      if (place === NO_PART) return { at: undefined, axis: undefined }
      if (place < 0) return { at: 0, axis: undefined }
      return { at: size === 1 ? 0 : index[place]!, axis: place - alignment.rank }
    }),
  }))
}
