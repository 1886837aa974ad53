// Places, producers and shapes in words: every report speaks the same way.
import { type Dim, type DimShape, format } from '../dims/index.ts'
import type { Frame } from '../infer/frame.ts'
import { type Node, nodeLabel, type Resolved } from '../model/scope.ts'

export const quote = (name: string): string => JSON.stringify(name)

const texts = new WeakMap<readonly (Dim | null)[], string>()

/**
 * `(2,N)`, `()` for a scalar, `(?…)` where the rank is not known.
 *
 * @example
 * ```ts
 * shapeText(inferShapes(model).broadcasts[0].operands[0].shape) // '(N,3,8,8)'
 * ```
 */
export function shapeText(shape: readonly (Dim | null)[] | DimShape | undefined): string {
  if (shape === null || shape === undefined) return '(?…)'
  const before = texts.get(shape)
  if (before !== undefined) return before
  const text = `(${shape.map((dim) => (dim === null ? '?' : format(dim))).join(',')})`
  texts.set(shape, text)
  return text
}

/** Where a value comes from: `input`, `initializer`, `node 3 "conv" (Conv)`. */
export function producerText(producer: Resolved | undefined): string {
  if (producer === undefined) return 'nothing'
  const { definition } = producer
  return definition.kind === 'output' ? nodeLabel(definition.node) : definition.kind
}

/** The nodes that lead from the model's graph into a frame: callers of functions, and owners of subgraphs. */
export function callersOf(frame: Frame | undefined): readonly Node[] {
  const callers: Node[] = []
  for (let at = frame?.caller; at !== undefined; at = at.frame.caller) callers.unshift(at.node)
  return callers
}

/** A node with the calls that lead to it: `node 1 (Add) in functions[0], called by node 4 "gelu" (Gelu)`. */
export function placeText(node: Node, frame: Frame | undefined): string {
  const callers = callersOf(frame).filter((caller) => caller.scope !== node.scope)
  const last = callers.at(-1)
  return node.scope.kind === 'function' && last !== undefined
    ? `${nodeLabel(node)}, called by ${nodeLabel(last)}`
    : nodeLabel(node)
}
