// The inputs of a model as the walk starts: what the file declares, and what the caller says instead.
import type { Dim as Size, SymbolicShape } from 'bcast'
import { constant, type SymbolBounds } from '../dims/index.ts'
import { InputError } from '../errors/index.ts'
import { defaultOf, givenInputs } from '../model/defaults.ts'
import type { Graph } from '../model/scope.ts'
import { declaredShapeText, type Value } from '../model/value.ts'
import type { Context } from './context.ts'
import { type Known, smallCount, tensor } from './known.ts'

/** Shapes of inputs, by name, that overrule what a model declares. */
export type InputShapes = Readonly<Record<string, SymbolicShape>>

export interface Inputs {
  readonly known: ReadonlyMap<string, Known>
  /** Those that are taken to be their default, and are none of these. */
  readonly assumed: ReadonlySet<string>
  /** Whether what the caller says agrees with what the file declares. */
  readonly asDeclared: boolean
}

/** Integer inputs of at most so many elements stand for themselves, as symbols. */
const MAX_SYMBOLIC = 16

const shapeOf = ({ type }: Value): SymbolicShape => (type.kind === 'tensor' ? type.shape : null)

/** What the inputs are that have a default and that the caller says nothing of: the default, or anything declared. */
export type Defaults = 'assumed' | 'open'

/**
 * Names of inputs that are taken to be their default. One whose declared shape has a name that other inputs have too
 * is not: it goes with them, and the default is for one size of theirs.
 */
export function assumedInputs(graph: Graph, shapes: InputShapes): ReadonlySet<string> {
  const inputs = givenInputs(graph)
  const isOpen = ({ name }: Value): boolean => Object.hasOwn(shapes, name) || defaultOf(graph, name) === undefined
  const namesOf = (value: Value): readonly Size[] => (shapeOf(value) ?? []).filter((size) => typeof size === 'string')
  const names = new Set(inputs.filter(isOpen).flatMap(namesOf))
  const assumed = inputs.filter((value) => !isOpen(value) && !namesOf(value).some((name) => names.has(name)))
  return new Set(assumed.map(({ name }) => name))
}

/** The file's names that the caller gives a size, or another name. */
export function namesGiven(inputs: readonly Value[], shapes: InputShapes): Map<string, number | string> {
  const given = new Map<string, number | string>()
  for (const value of inputs) {
    const [declared, own] = [shapeOf(value), shapes[value.name]]
    if (declared === null || own?.length !== declared.length) continue
    for (const [axis, name] of declared.entries()) {
      const size = own[axis]!
      if (typeof name !== 'string' || (typeof size !== 'number' && typeof size !== 'string') || size === name) continue
      const before = given.get(name)
      if (before !== undefined && before !== size) {
        throw new InputError(value.name, `axis ${axis} is ${size}, but its name ${name} was given as ${before} before.`)
      }
      given.set(name, size)
    }
  }
  return given
}

/** An input that the caller gives other sizes than the file declares. */
export interface OverruledInput {
  readonly input: string
  /** Its place among the inputs of the graph. */
  readonly index: number
  readonly given: NonNullable<SymbolicShape>
  readonly declared: NonNullable<SymbolicShape>
}

/** Inputs whose numbers are overruled; names and sizes that the file leaves open are free. */
export const overruledInputs = ({ inputs }: Graph, shapes: InputShapes): readonly OverruledInput[] =>
  inputs.flatMap((value, index) => {
    const given = Object.hasOwn(shapes, value.name) ? shapes[value.name] : null
    const declared = shapeOf(value)
    if (!given || declared === null) return []
    const isOverruled = declared.some((size, axis) => typeof size === 'number' && (given[axis] ?? size) !== size)
    return isOverruled ? [{ input: value.name, index, given, declared }] : []
  })

/** Sizes may be tried that the file does not mean; with another number of axes it would be another model. */
function checkRank(value: Value, given: SymbolicShape): void {
  if (given === null) return
  if (value.type.kind !== 'tensor') {
    throw new InputError(value.name, 'the model does not declare it as a tensor, which alone has a shape.')
  }
  const declared = shapeOf(value)
  if (declared === null || declared.length === given.length) return
  const texts = `it is given as ${declaredShapeText(given)}, and the model declares ${declaredShapeText(declared)}`
  throw new InputError(value.name, `${texts}; sizes may be others, the number of axes not.`)
}

function checkShapes(graph: Graph, shapes: InputShapes): void {
  const inputs = givenInputs(graph)
  const names = new Set(inputs.map(({ name }) => name))
  for (const [name, shape] of Object.entries(shapes)) {
    const wrong = shape?.find((size) => typeof size === 'number' && !(Number.isSafeInteger(size) && size >= 0))
    if (wrong !== undefined) throw new InputError(name, `${wrong} is no size; sizes are integers from 0 on.`)
    if (!names.has(name) && graph.initializers.has(name)) {
      throw new InputError(name, 'it is a constant of the model, and no input that a run could give.')
    }
    if (!names.has(name)) {
      throw new InputError(name, `the model has no such input; it has ${[...names].join(', ') || 'none'}.`)
    }
  }
  for (const value of inputs) if (Object.hasOwn(shapes, value.name)) checkRank(value, shapes[value.name]!)
}

/** The caller's sizes, and the declared ones where it says nothing. */
function together(declared: SymbolicShape, given: SymbolicShape): SymbolicShape {
  if (given === null || declared?.length !== given.length) return given ?? declared
  return given.map((size, axis): Size => size ?? declared[axis]!)
}

/** Elements of a small integer input, each a symbol of its own: sizes may come from it. */
function symbolicValues(context: Context, name: string, known: Known): Known {
  if (known.kind !== 'tensor' || (known.element !== 'int64' && known.element !== 'int32')) return known
  const count = smallCount(known.shape)
  if (count === undefined || count > MAX_SYMBOLIC) return known
  const symbolOf = (i: number) =>
    context.fresh(known.shape?.length === 0 ? `${name}.value` : `${name}.value.${i}`, { min: null })
  return tensor(
    known.element,
    known.shape,
    Array.from({ length: count }, (_, i) => symbolOf(i)),
  )
}

export function inputsOf(context: Context, bounds: SymbolBounds, shapes: InputShapes, defaults: Defaults): Inputs {
  const { graph } = context.model
  checkShapes(graph, shapes)
  const assumed: ReadonlySet<string> = defaults === 'assumed' ? assumedInputs(graph, shapes) : new Set()
  const inputs = givenInputs(graph).filter(({ name }) => !assumed.has(name))
  // Every name of the inputs is taken before another symbol could be.
  for (const [name, size] of namesGiven(inputs, shapes)) {
    context.name(name, typeof size === 'number' ? constant(size) : context.named(size, bounds))
  }
  const whole = inputs.map((value) => ({ ...value, shape: together(shapeOf(value), shapes[value.name] ?? null) }))
  for (const { shape } of whole) {
    for (const size of shape ?? []) if (typeof size === 'string') context.named(size, bounds)
  }
  const known = new Map<string, Known>()
  for (const { name, type, shape } of whole) {
    const declared = type.kind === 'tensor' ? { ...type, shape } : type
    known.set(name, symbolicValues(context, name, context.declared(declared, name, bounds)))
  }
  return { known, assumed, asDeclared: overruledInputs(graph, shapes).length === 0 }
}
