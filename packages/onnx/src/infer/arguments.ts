// What inference knows of arguments that are attributes in old versions and inputs in new ones.
import { constant, constantOf, type Dim } from '../dims/index.ts'
import { type Argument, isInput } from './attributes/arguments.ts'
import type { Call } from './call.ts'

/** Integers; `null` where they are not known, `undefined` where they are left out. */
export type Integers = readonly (Dim | null)[] | null | undefined

export function integers(call: Call, argument: Argument): Integers {
  const { attribute, input } = argument
  if (!isInput(call, argument)) return call.attributes.bigints(attribute, undefined)?.map((value) => constant(value))
  if (!call.has(input)) return undefined
  return call.dims(input) ?? (call.count(input) === 0 ? [] : null)
}

/** The same as numbers; null where one of them is not known. */
export function numbers(call: Call, argument: Argument): readonly number[] | null | undefined {
  const given = integers(call, argument)
  if (given === null || given === undefined) return given
  const known = given.map((value) => (value === null ? undefined : constantOf(value)))
  return known.every((value) => value !== undefined) ? known.map(Number) : null
}

/** Axes counted from the front, each once. */
export function distinctAxes(call: Call, axes: readonly number[], rank: number): readonly number[] {
  const counted = axes.map((axis) => call.axis(axis, rank))
  if (new Set(counted).size < counted.length) return call.fail(`axes ${axes.join(', ')} name an axis twice.`)
  return counted
}
