// What must hold of a model before anyone asks what its operators mean.
import { functionKey, functionOf, irVersions, type Model, newestOpsets } from '../model/model.ts'
import { type Node, nodeLabel, type Scope } from '../model/scope.ts'
import { domainOf } from '../model/view.ts'
import type { OperatorSetIdProto } from '../proto/onnx_pb.ts'
import { cyclesOf } from './components.ts'
import { type Finding, finding } from './finding.ts'
import { checkDeclarations, checkDefinitions, checkNodes, checkUses } from './names.ts'
import { checkOrder } from './order.ts'

/** A scope and those in the attributes of its nodes. */
function* nested(scope: Scope): Generator<Scope> {
  yield scope
  for (const node of scope.nodes) for (const { graph } of node.subgraphs) yield* nested(graph)
}

/** Every graph and function body of a model, outer ones first. */
export function* scopesOf(model: Model): Generator<Scope> {
  yield* nested(model.graph)
  for (const body of model.functions) yield* nested(body)
}

function checkVersion({ irVersion }: Model): Finding[] {
  if (irVersion <= irVersions.newest) return []
  return [
    finding(
      'newer-ir-version',
      'ir_version',
      `IR version ${irVersion} is newer than ${irVersions.newest}; what it adds is kept and not understood.`,
    ),
  ]
}

function* checkNewest(name: string, version: bigint, at: string): Generator<Finding> {
  const newest = newestOpsets.get(name)
  if (newest === undefined || version <= newest) return
  const set = `version ${version} of the operator set ${name === '' ? 'of ONNX' : name}`
  const text = `${set} is newer than ${newest}, the newest known here; operators may mean something else in it.`
  yield finding('newer-opset', at, text, name)
}

function* checkImports(imports: readonly OperatorSetIdProto[], path: string): Generator<Finding> {
  const seen = new Map<string, bigint>()
  for (const [i, { domain, version }] of imports.entries()) {
    const at = `${path}opset_import[${i}]`
    const name = domainOf(domain)
    const before = seen.get(name)
    if (version < 1n || version > 0x7fff_ffffn) {
      yield finding('bad-opset-version', at, `${version} is no version of an operator set.`, name)
    } else yield* checkNewest(name, version, at)
    if (before !== undefined && before !== version) {
      const text = `domain ${JSON.stringify(name)} is imported at version ${before} and again at ${version}.`
      yield finding('duplicate-opset', at, text, name)
    }
    seen.set(name, before ?? version)
  }
}

function* checkDomains(model: Model, scope: Scope): Generator<Finding> {
  for (const node of scope.nodes) {
    if (scope.opsets.has(node.domain) || functionOf(model, node) !== undefined) continue
    const text = `${nodeLabel(node)} is of domain ${JSON.stringify(node.domain)}, of which no operator set is imported.`
    yield finding('missing-opset', node, text, node.domain)
  }
}

/** Functions that a body calls, through its subgraphs too. */
function calledBy(model: Model, body: Scope, places: ReadonlyMap<string, number>): number[] {
  const called = new Set<number>()
  const call = (node: Node): void => {
    const callee = functionOf(model, node)
    if (callee !== undefined) called.add(places.get(functionKey(callee))!)
  }
  for (const scope of nested(body)) for (const node of scope.nodes) call(node)
  return [...called]
}

function* checkFunctions(model: Model): Generator<Finding> {
  const places = new Map<string, number>()
  for (const [i, body] of model.functions.entries()) {
    const key = functionKey(body)
    if (places.has(key)) {
      yield finding('duplicate-function', body, `function ${body.name} is defined twice.`, body.name)
    } else places.set(key, i)
    if (body.name === '') yield finding('unnamed', body, `function ${i} has no name.`)
    yield* checkImports(body.proto.opsetImport, `${body.path}.`)
  }
  for (const cycle of cyclesOf(model.functions.length, (i) => calledBy(model, model.functions[i]!, places))) {
    const names = cycle.map((i) => model.functions[i]!.name)
    const text =
      cycle.length === 1 ? `function ${names[0]} calls itself.` : `functions ${names.join(', ')} call each other.`
    yield finding('recursive-function', model.functions[cycle[0]!]!, text, names[0])
  }
}

function* everyFinding(model: Model): Generator<Finding> {
  yield* checkVersion(model)
  yield* checkImports(model.proto.opsetImport, '')
  yield* checkFunctions(model)
  for (const scope of scopesOf(model)) {
    for (const check of [checkDefinitions, checkUses, checkDeclarations, checkNodes, checkOrder]) yield* check(scope)
    yield* checkDomains(model, scope)
  }
}

/**
 * What is wrong with the structure of a model, `most` findings of it; empty when nothing is.
 *
 * @example
 * ```ts
 * checkStructure(model) // []
 * ```
 */
export function checkStructure(model: Model, most = 1000): readonly Finding[] {
  const findings: Finding[] = []
  for (const found of everyFinding(model)) {
    if (findings.push(found) >= most) break
  }
  return findings
}
