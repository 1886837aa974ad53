// What the file declares against what follows from its nodes: shapes that differ, and names that cannot stand for one
// size.
import type { SymbolicShape } from 'bcast'
import { type Dim, format, isEqual } from '../../dims/index.ts'
import type { Frame } from '../../infer/frame.ts'
import { overruledInputs } from '../../infer/inputs.ts'
import { declaredShapeText, type Value } from '../../model/value.ts'
import { atNode, atPath, type Found, type Lint, type Subject } from '../finding.ts'
import { quote, shapeText } from '../words.ts'

interface Declaration {
  readonly frame: Frame
  readonly name: string
  readonly declared: readonly NonNullable<SymbolicShape>[number][]
  readonly inferred: readonly Dim[]
}

/** Values that have a declared and an inferred shape. */
function* declarations({ inference }: Subject): Generator<Declaration> {
  for (const frame of inference.frames) {
    const { inputs, outputs, valueInfo } = frame.scope
    const inner = frame.caller === undefined ? [] : inputs
    for (const { name, type } of [...inner, ...outputs, ...valueInfo.values()] as Iterable<Value>) {
      if (type.kind !== 'tensor' || type.shape === null) continue
      const known = inference.valueIn(frame, name)
      if (known.kind !== 'tensor' || known.shape === null) continue
      yield { frame, name, declared: type.shape, inferred: known.shape }
    }
  }
}

/** A finding about a value: at the node that makes it, where one does. */
function atValue(
  id: 'declared-shape-differs' | 'dim-param-contradiction',
  { frame, name }: Declaration,
  sentence: string,
): Found {
  const definition = frame.scope.definitions.get(name)
  return definition?.kind === 'output'
    ? atNode(id, { node: definition.node, frame }, `output ${quote(name)} ${sentence}`, { name, cause: sentence })
    : { ...atPath(id, frame.scope.path, `${quote(name)} ${sentence}`, name), cause: sentence }
}

/** Sizes that the caller gives and the file declares otherwise: exporters fix a batch of 1, and others may be tried. */
export const givenSizes: Lint = function* ({ model, inputs = {} }) {
  for (const { index, input, given, declared } of overruledInputs(model.graph, inputs)) {
    const text = `input ${quote(input)} is given as ${declaredShapeText(given)}, and the model declares ${declaredShapeText(declared)}.`
    yield atPath('input-size-differs', `graph.input[${index}]`, text, input)
  }
}

/** More inputs than this are counted, not named. */
const MAX_NAMED = 8

/** What is said holds for runs that leave these inputs out. */
export const assumedDefaults: Lint = function* ({ inference: { assumed } }) {
  if (assumed.size === 0) return
  const names = [...assumed].slice(0, MAX_NAMED).map(quote).join(', ')
  const more = assumed.size > MAX_NAMED ? ` and ${assumed.size - MAX_NAMED} more` : ''
  const are =
    assumed.size === 1 ? '1 input is taken to be its default' : `${assumed.size} inputs are taken to be their defaults`
  yield atPath('default-assumed', 'graph', `${are}, which a run may replace: ${names}${more}.`)
}

export const declaredShapes: Lint = function* (subject) {
  if (!subject.asDeclared) return
  for (const declaration of declarations(subject)) {
    const { declared, inferred } = declaration
    const differs =
      declared.length !== inferred.length ||
      declared.some((size, axis) => typeof size === 'number' && isEqual(size, inferred[axis]!) === false)
    if (!differs) continue
    const sentence = `is declared as ${declaredShapeText(declared)} and inferred as ${shapeText(inferred)}.`
    yield atValue('declared-shape-differs', declaration, sentence)
  }
}

interface Use {
  readonly declaration: Declaration
  readonly dim: Dim
}

/** At most so many different sizes of one name are compared. */
const MAX_COMPARED = 16

/** Two uses whose sizes differ for certain, the later one first. */
function contradiction(uses: readonly Use[]): readonly [Use, Use] | undefined {
  const distinct = [...new Map(uses.toReversed().map((use) => [use.dim.key, use])).values()].reverse()
  const compared = distinct.slice(0, MAX_COMPARED)
  for (const [i, later] of compared.entries()) {
    const earlier = compared.slice(0, i).find(({ dim }) => isEqual(dim, later.dim) === false)
    if (earlier !== undefined) return [later, earlier]
  }
  return undefined
}

export const dimensionNames: Lint = function* (subject) {
  if (!subject.asDeclared) return
  const uses = new Map<string, Use[]>()
  for (const { name, type } of subject.model.graph.inputs) {
    const known = subject.inference.valueIn(subject.inference.root, name)
    if (type.kind !== 'tensor' || type.shape === null || known.kind !== 'tensor' || known.shape === null) continue
    const declaration = { frame: subject.inference.root, name, declared: type.shape, inferred: known.shape }
    gather(declaration, uses)
  }
  for (const declaration of declarations(subject)) gather(declaration, uses)
  for (const [symbol, all] of uses) {
    const found = contradiction(all)
    if (found === undefined) continue
    const [here, there] = found
    const sentence = `has size ${format(here.dim)} where it is declared as ${symbol}, which is ${format(there.dim)} in ${quote(there.declaration.name)}.`
    yield atValue('dim-param-contradiction', here.declaration, sentence)
  }
}

/** Notes the sizes that stand under names; names of functions' own bodies mean nothing outside one call. */
function gather(declaration: Declaration, uses: Map<string, Use[]>): void {
  const { frame, declared, inferred } = declaration
  if (frame.scope.kind === 'function' || declared.length !== inferred.length) return
  for (const [axis, size] of declared.entries()) {
    if (typeof size !== 'string') continue
    const before = uses.get(size)
    const use = { declaration, dim: inferred[axis]! }
    if (before === undefined) uses.set(size, [use])
    else before.push(use)
  }
}
