// One thing that is wrong with the structure of a model, as a value: a broken model can still be shown.
import { type Node, nodePath, type Scope } from '../model/scope.ts'

/** Errors break the model; warnings leave its meaning clear. */
export const structureSeverities = {
  'duplicate-definition': 'error',
  'undefined-name': 'error',
  'undefined-output': 'error',
  'not-sorted': 'error',
  cycle: 'error',
  'missing-opset': 'error',
  'duplicate-opset': 'error',
  'bad-opset-version': 'error',
  'duplicate-attribute': 'error',
  'duplicate-function': 'error',
  'recursive-function': 'error',
  unnamed: 'error',
  'duplicate-node-name': 'warning',
  'shadowed-name': 'warning',
  'unused-declaration': 'warning',
  'newer-ir-version': 'warning',
  'newer-opset': 'warning',
} as const

/** The stable id of a finding about structure. */
export type FindingCode = keyof typeof structureSeverities

/** Something broken in the structure of a model, and where. */
export interface Finding {
  readonly code: FindingCode
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** The message at fault, as `graph.node[3]`. */
  readonly path: string
  readonly node: Node | undefined
  /** The name at fault. */
  readonly name: string | undefined
}

/** A finding about a node, a scope, or (given its path) some other message. */
export function finding(code: FindingCode, at: Node | Scope | string, message: string, name?: string): Finding {
  const node = typeof at === 'object' && 'opType' in at ? at : undefined
  const path = typeof at === 'string' ? at : node === undefined ? (at as Scope).path : nodePath(node)
  return { code, severity: structureSeverities[code], message, path, node, name }
}
