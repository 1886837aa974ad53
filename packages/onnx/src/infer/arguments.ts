// What many operators take as an attribute in old versions and as an input in new ones: axes, shapes, pads.
import { constant, constantOf, type Dim } from '../dims/index.ts'
import type { Call } from './call.ts'

/** Integers; `null` where they are not known, `undefined` where they are left out. */
export type Integers = readonly (Dim | null)[] | null | undefined

/** From attribute `name` before opset `since`, from input i from then on. */
export function integers(call: Call, name: string, i: number, since: number): Integers {
  if (call.opset < since) return call.attributes.bigints(name, undefined)?.map((value) => constant(value))
  if (!call.has(i)) return undefined
  return call.dims(i) ?? (call.count(i) === 0 ? [] : null)
}

/** The same as numbers; null where one of them is not known. */
export function numbers(call: Call, name: string, i: number, since: number): readonly number[] | null | undefined {
  const given = integers(call, name, i, since)
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
