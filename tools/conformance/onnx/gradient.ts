// Runs a model of operators that has ONNX's Gradient nodes (ai.onnx.preview.training): the derivatives of a value `y` by
// values `xs`, which the nodes before it say how to compute.

import { type Model, UnsupportedError } from '@bcast/onnx'
import { full, type Tensor, vjp } from 'bcast'
import { operatorNamed, runOperator } from '../operators.ts'

type Values = ReadonlyMap<string, Tensor>
type Node = Model['graph']['nodes'][number]

export const hasGradient = ({ graph }: Model): boolean => graph.nodes.some(({ opType }) => opType === 'Gradient')

function applied({ opType, inputs }: Node, named: (name: string) => Tensor): Tensor {
  if (operatorNamed(opType) === undefined) throw new UnsupportedError(`${opType} beside Gradient`, opType)
  return runOperator(opType, inputs.map(named), { onnx: true, attributes: {} })
}

/** The value of a name, from those that are known and the nodes that compute the others. */
function valueIn(nodes: readonly Node[], known: Values): (name: string) => Tensor {
  const values = new Map(known)
  const named = (name: string): Tensor => {
    const found = values.get(name)
    if (found !== undefined) return found
    const node = nodes.find(({ outputs }) => outputs[0] === name)
    if (node === undefined) throw new UnsupportedError(`no node gives ${name}`, name)
    const made = applied(node, named)
    values.set(name, made)
    return made
  }
  return named
}

/** Gradients of what is known at run time alone. */
const backwards = vjp as unknown as (
  fn: (...operands: readonly Tensor[]) => Tensor,
  options: { readonly operands: number },
) => (...operands: readonly Tensor[]) => { value: Tensor; pullback: (delta: Tensor) => readonly Tensor[] }

/** The derivatives that a Gradient node gives; its first inputs are the values of `xs`. */
function derivatives({ attributes, inputs }: Node, nodes: readonly Node[], known: Values): readonly Tensor[] {
  const xs = attributes.strings('xs')
  const of = valueIn(nodes, known)
  const fn = (...operands: readonly Tensor[]): Tensor => {
    const given = xs.map((name, i) => [name, operands[i]!] as const)
    return valueIn(nodes, new Map([...known, ...given]))(attributes.string('y'))
  }
  const operands = xs.map((_, i) => of(inputs[i]!))
  const { value, pullback } = backwards(fn, { operands: xs.length })(...operands)
  return pullback(full(value.shape, 1, { dtype: value.dtype }))
}

/** The outputs of a model by name. */
export function runWithGradients({ graph }: Model, inputs: Readonly<Record<string, Tensor>>): Record<string, Tensor> {
  const known = new Map(Object.entries(inputs))
  const nodes = graph.nodes.filter(({ opType }) => opType !== 'Gradient')
  const made = graph.nodes
    .filter(({ opType }) => opType === 'Gradient')
    .flatMap((node) => derivatives(node, nodes, known).map((tensor, i) => [node.outputs[i]!, tensor] as const))
  const named = valueIn(nodes, new Map([...known, ...made]))
  return Object.fromEntries(graph.outputs.map(({ name }) => [name, named(name)]))
}
