// The tensors of a run against what the model declares: all that is wrong is said at once, before anything runs.
import { Tensor } from 'bcast'
import { type InputProblem, RunInputError } from '../errors/index.ts'
import { declaredShapeText, type Value } from '../model/value.ts'

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'none' : names.map((name) => JSON.stringify(name)).join(', ')

/** What is wrong with one tensor; `sizes` are those that names of the file have been given so far. */
function* problemsOf({ name, type }: Value, given: unknown, sizes: Map<string, number>): Generator<InputProblem> {
  if (!(given instanceof Tensor)) {
    yield { input: name, problem: 'no-tensor', message: 'is not a tensor; wrap it with tensor(…).' }
    return
  }
  if (type.kind !== 'tensor') return
  const { element, shape } = type
  if (element !== undefined && given.dtype !== element) {
    const message = `is ${given.dtype}; the model takes ${element}. Convert with cast(x, '${element}').`
    yield { input: name, problem: 'dtype', message }
  }
  if (shape === null) return
  const own: readonly number[] = given.shape
  const takes = `has shape ${declaredShapeText(own)}; the model takes ${declaredShapeText(shape)}`
  if (own.length !== shape.length || shape.some((size, axis) => typeof size === 'number' && size !== own[axis])) {
    yield { input: name, problem: 'shape', message: `${takes}.` }
    return
  }
  for (const [axis, size] of shape.entries()) {
    if (typeof size !== 'string') continue
    const before = sizes.get(size)
    if (before === undefined) sizes.set(size, own[axis]!)
    else if (before !== own[axis]) {
      yield { input: name, problem: 'shape', message: `${takes}, and ${size} is ${before} by another axis.` }
    }
  }
}

/** Throws unless the tensors are those that a model takes. `optional` inputs may be left out. */
export function checkInputs(
  inputs: readonly Value[],
  optional: ReadonlySet<string>,
  given: Readonly<Record<string, unknown>>,
): void {
  const names = new Set(inputs.map(({ name }) => name))
  const problems: InputProblem[] = []
  const sizes = new Map<string, number>()
  for (const value of inputs) {
    if (Object.hasOwn(given, value.name)) problems.push(...problemsOf(value, given[value.name], sizes))
    else if (!optional.has(value.name)) {
      problems.push({ input: value.name, problem: 'missing', message: 'is missing.' })
    }
  }
  for (const name of Object.keys(given)) {
    if (names.has(name)) continue
    const message = `is not an input of the model; it has ${listed([...names])}.`
    problems.push({ input: name, problem: 'unknown', message })
  }
  if (problems.length > 0) throw new RunInputError(problems)
}
