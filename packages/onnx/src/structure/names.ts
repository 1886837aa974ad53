// Names: each is defined once, is defined at all, and does not hide another.
import { type Node, nodeLabel, resolve, type Scope } from '../model/scope.ts'
import { type Finding, finding } from './finding.ts'

const quote = (name: string): string => JSON.stringify(name)

/** Something that gives a name a value; its words are made when they are needed. */
interface Definer {
  readonly name: string
  readonly by: 'input' | 'initializer' | 'sparse_initializer' | 'output'
  readonly index: number
  readonly node: Node | undefined
}

/** In the order of the file; an input's default is no second definition. */
function* definers(scope: Scope): Generator<Definer> {
  const node = undefined
  for (const [index, { name }] of scope.inputs.entries()) yield { name, by: 'input', index, node }
  if (scope.kind === 'graph') {
    const inputs = new Set(scope.inputs.map(({ name }) => name))
    for (const [index, { name }] of scope.proto.initializer.entries()) {
      if (!inputs.has(name)) yield { name, by: 'initializer', index, node }
    }
    for (const [index, { values }] of scope.proto.sparseInitializer.entries()) {
      const name = values?.name ?? ''
      if (!inputs.has(name)) yield { name, by: 'sparse_initializer', index, node }
    }
  }
  for (const node of scope.nodes) {
    // An optional output that nobody wants has no name.
    for (const [index, name] of node.outputs.entries()) if (name !== '') yield { name, by: 'output', index, node }
  }
}

const words = ({ by, index, node }: Definer): string =>
  `${by.replace('_', ' ')} ${index}${node === undefined ? '' : ` of ${nodeLabel(node)}`}`

const place = (scope: Scope, { by, index, node }: Definer): Node | string => node ?? `${scope.path}.${by}[${index}]`

export function* checkDefinitions(scope: Scope): Generator<Finding> {
  const seen = new Map<string, Definer>()
  for (const definer of definers(scope)) {
    const { name } = definer
    if (name === '') {
      yield finding('unnamed', place(scope, definer), `${words(definer)} has no name.`)
      continue
    }
    const before = seen.get(name)
    if (before !== undefined) {
      const text = `${quote(name)} is defined by ${words(before)} and again by ${words(definer)}.`
      yield finding('duplicate-definition', place(scope, definer), text, name)
      continue
    }
    seen.set(name, definer)
    const outer = scope.parent && resolve(scope.parent.scope, name)
    if (outer) {
      const text = `${words(definer)} hides ${quote(name)} of ${outer.scope.path}; use another name.`
      yield finding('shadowed-name', place(scope, definer), text, name)
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
  const named = new Map<string, Node>()
  for (const node of scope.nodes) {
    if (node.opType === '') yield finding('unnamed', node, `${nodeLabel(node)} names no operator.`)
    // ONNX IR, Names Within a Graph: names of nodes are unique. Nothing refers to them, so the meaning stays clear.
    const before = node.name === '' ? undefined : named.get(node.name)
    if (before !== undefined) {
      const text = `${nodeLabel(node)} has the name of ${nodeLabel(before)}; some engines refuse that.`
      yield finding('duplicate-node-name', node, text, node.name)
    } else named.set(node.name, node)
    const seen = new Set<string>()
    for (const name of node.attributes.names) {
      if (seen.has(name)) {
        yield finding('duplicate-attribute', node, `${nodeLabel(node)} has two attributes ${quote(name)}.`, name)
      }
      seen.add(name)
    }
  }
}
