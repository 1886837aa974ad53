// Names: each is defined once, is defined at all, and does not hide another.
import { type Node, nodeLabel, resolve, type Scope } from '../model/scope.ts'
import { type Finding, finding } from './finding.ts'

const quote = (name: string): string => JSON.stringify(name)

/** Everything that gives a name a value, in the order of the file; an input's default is no second definition. */
function* definers(scope: Scope): Generator<readonly [name: string, what: string, at: Node | string]> {
  for (const [i, { name }] of scope.inputs.entries()) yield [name, `input ${i}`, `${scope.path}.input[${i}]`]
  if (scope.kind === 'graph') {
    const inputs = new Set(scope.inputs.map(({ name }) => name))
    for (const [i, { name }] of scope.proto.initializer.entries()) {
      if (!inputs.has(name)) yield [name, `initializer ${i}`, `${scope.path}.initializer[${i}]`]
    }
    for (const [i, { values }] of scope.proto.sparseInitializer.entries()) {
      const name = values?.name ?? ''
      if (!inputs.has(name)) yield [name, `sparse initializer ${i}`, `${scope.path}.sparse_initializer[${i}]`]
    }
  }
  for (const node of scope.nodes) {
    for (const [i, name] of node.outputs.entries()) {
      // An optional output that nobody wants has no name.
      if (name !== '') yield [name, `output ${i} of ${nodeLabel(node)}`, node]
    }
  }
}

export function* checkDefinitions(scope: Scope): Generator<Finding> {
  const seen = new Map<string, string>()
  for (const [name, what, at] of definers(scope)) {
    if (name === '') {
      yield finding('unnamed', at, `${what} has no name.`)
      continue
    }
    const before = seen.get(name)
    if (before !== undefined) {
      yield finding('duplicate-definition', at, `${quote(name)} is defined by ${before} and again by ${what}.`, name)
      continue
    }
    seen.set(name, what)
    const outer = scope.parent && resolve(scope.parent.scope, name)
    if (outer) {
      yield finding('shadowed-name', at, `${what} hides ${quote(name)} of ${outer.scope.path}; use another name.`, name)
    }
  }
}

export function* checkUses(scope: Scope): Generator<Finding> {
  for (const node of scope.nodes) {
    for (const [i, name] of node.inputs.entries()) {
      if (name === '' || resolve(scope, name) !== undefined) continue
      yield finding(
        'undefined-name',
        node,
        `input ${i} of ${nodeLabel(node)} is ${quote(name)}, which nothing defines.`,
        name,
      )
    }
  }
  for (const [i, { name }] of scope.outputs.entries()) {
    const at = `${scope.path}.output[${i}]`
    if (name === '') yield finding('unnamed', at, `output ${i} has no name.`)
    else if (resolve(scope, name) === undefined) {
      yield finding('undefined-output', at, `output ${i} is ${quote(name)}, which nothing defines.`, name)
    }
  }
}

/** Declared types of names that the scope does not have. */
export function* checkDeclarations(scope: Scope): Generator<Finding> {
  for (const name of scope.valueInfo.keys()) {
    if (scope.definitions.has(name)) continue
    yield finding('unused-declaration', scope, `value_info declares ${quote(name)}, which nothing defines.`, name)
  }
}

export function* checkNodes(scope: Scope): Generator<Finding> {
  for (const node of scope.nodes) {
    if (node.opType === '') yield finding('unnamed', node, `${nodeLabel(node)} names no operator.`)
    const seen = new Set<string>()
    for (const name of node.attributes.names) {
      if (seen.has(name)) {
        yield finding('duplicate-attribute', node, `${nodeLabel(node)} has two attributes ${quote(name)}.`, name)
      }
      seen.add(name)
    }
  }
}
