// What an operator's attributes are tried with: everything that a flag or a choice of words may be, and some numbers.
import type { Attribute } from 'bcast'

/** One that no float of 32 bits or less holds, and one of the other sign. */
const NUMBERS: readonly number[] = [0.3, -1.5]

function valuesOf(attribute: Attribute): readonly unknown[] {
  if (attribute.kind === 'flag') return [true, false]
  return attribute.kind === 'number' ? NUMBERS : attribute.values
}

/** Every choice of attributes; those that have a default are left out in some. */
export const choicesOf = (attributes: Readonly<Record<string, Attribute>>): Readonly<Record<string, unknown>>[] =>
  Object.entries(attributes).reduce<Record<string, unknown>[]>(
    (choices, [name, attribute]) =>
      choices.flatMap((choice) => [
        ...(attribute.default === undefined ? [] : [choice]),
        ...valuesOf(attribute).map((value) => ({ ...choice, [name]: value })),
      ]),
    [{}],
  )
