// The inputs of a model as the walk starts: what the file declares, and what the caller says instead.
import type { Dim as Size, SymbolicShape } from 'bcast'
import { constant, type SymbolBounds } from '../dims/index.ts'
import { InputError } from '../errors/index.ts'
import type { Graph } from '../model/scope.ts'
import type { Value } from '../model/value.ts'
import type { Context } from './context.ts'
import { type Known, smallCount, tensor } from './known.ts'

export type InputShapes = Readonly<Record<string, SymbolicShape>>

export interface Inputs {
  readonly known: ReadonlyMap<string, Known>
  /** Whether what the caller says agrees with what the file declares. */
  readonly asDeclared: boolean
}

/** Integer inputs of at most so many elements stand for themselves, as symbols. */
const MAX_SYMBOLIC = 16

const shapeOf = ({ type }: Value): SymbolicShape => (type.kind === 'tensor' ? type.shape : null)

/** Inputs that a run gives: those with a default are constants in files that cannot say otherwise. */
function givenInputs(graph: Graph, irVersion: number, shapes: InputShapes): readonly Value[] {
  return graph.inputs.filter(
    ({ name }) => irVersion >= 4 || Object.hasOwn(shapes, name) || !graph.initializers.has(name),
  )
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

function checkShapes(graph: Graph, shapes: InputShapes): void {
  const names = new Set(graph.inputs.map(({ name }) => name))
  for (const [name, shape] of Object.entries(shapes)) {
    const wrong = shape?.find((size) => typeof size === 'number' && !(Number.isSafeInteger(size) && size >= 0))
    if (wrong !== undefined) throw new InputError(name, `${wrong} is no size; sizes are integers from 0 on.`)
    if (!names.has(name)) {
      throw new InputError(name, `the model has no such input; it has ${[...names].join(', ') || 'none'}.`)
    }
  }
}

/** The caller's sizes, and the declared ones where it says nothing. */
function together(declared: SymbolicShape, given: SymbolicShape): SymbolicShape {
  if (given === null || declared?.length !== given.length) return given ?? declared
  return given.map((size, axis): Size => size ?? declared[axis]!)
}

const contradicts = (declared: SymbolicShape, given: SymbolicShape): boolean =>
  declared !== null &&
  given !== null &&
  (declared.length !== given.length ||
    declared.some((size, axis) => typeof size === 'number' && given[axis] !== null && given[axis] !== size))

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

export function inputsOf(context: Context, bounds: SymbolBounds, shapes: InputShapes): Inputs {
  const { graph, irVersion } = context.model
  checkShapes(graph, shapes)
  const inputs = givenInputs(graph, irVersion, shapes)
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
  const asDeclared = inputs.every((value) => !contradicts(shapeOf(value), shapes[value.name] ?? null))
  return { known, asDeclared }
}
