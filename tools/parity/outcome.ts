// What came of a call: elements of a type and shape, or a refusal by class. Two outcomes are the same or they are not;
// every NaN equals every NaN.
import { BcastError, type Tensor } from 'bcast'
import { elementsOf, sameElement, show, type Value } from '../../testing/elements.ts'

export type Outcome =
  | { readonly dtype: string; readonly shape: readonly number[]; readonly elements: readonly Value[] }
  | { readonly refused: string }

export const outcomeOf = (tensor: Tensor): Outcome => ({
  dtype: tensor.dtype,
  shape: tensor.shape,
  elements: elementsOf(tensor),
})

/** What a refusal says of itself; anything that is none of bcast's errors is a defect. */
export function refusalOf(error: unknown): Outcome {
  if (error instanceof BcastError) return { refused: error.name }
  throw error
}

export async function outcomeBy(call: () => Tensor | Promise<Tensor>): Promise<Outcome> {
  try {
    return outcomeOf(await call())
  } catch (error) {
    return refusalOf(error)
  }
}

/** How an outcome differs from the one that is wanted; undefined where it does not. */
export function difference(got: Outcome, wanted: Outcome): string | undefined {
  if ('refused' in wanted || 'refused' in got) {
    const [a, b] = [got, wanted].map((outcome) => ('refused' in outcome ? outcome.refused : 'a result'))
    return a === b ? undefined : `${a}, not ${b}`
  }
  if (got.dtype !== wanted.dtype) return `${got.dtype}, not ${wanted.dtype}`
  if (got.shape.join() !== wanted.shape.join()) return `(${got.shape.join()}), not (${wanted.shape.join()})`
  const at = wanted.elements.findIndex((element, i) => !sameElement(got.elements[i], element))
  return at < 0 ? undefined : `${show(got.elements[at])} at ${at}, not ${show(wanted.elements[at])}`
}
