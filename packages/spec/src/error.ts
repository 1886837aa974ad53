// The one error of the specification. Its `code` says which definition has no value; `index` says where, when an
// operator is applied to whole tensors.

/** Why the specification refuses something. */
export type SpecErrorCode =
  | 'division-by-zero' // an integer or real quotient, remainder or negative power of zero
  | 'type' // the operator is not defined for this element type
  | 'value' // the value has no counterpart in the element type (NaN as a real, a fractional alpha for integers)
  | 'shape' // the tensors do not have the shapes that the definition presupposes
  | 'range' // an argument lies outside the domain on which a bound is promised

/** What the specification refuses; `code` tells why. */
export class SpecError extends Error {
  readonly code: SpecErrorCode
  readonly index: readonly number[] | undefined

  constructor(code: SpecErrorCode, message: string, index?: readonly number[]) {
    super(message)
    this.name = 'SpecError'
    this.code = code
    this.index = index
  }
}
