// The vectors that Expand takes its sizes from, as nodes: constants, shapes of other values, sizes picked from them.

import { transposes } from '../infer/attributes/forms.ts'
import type { Operand } from '../infer/context.ts'
import { intAttribute } from '../model/build.ts'
import type { Node } from '../model/scope.ts'
import type { Maker } from './additions.ts'
import type { Target } from './plan.ts'

/** Which axis of A gives the rows of the product in Gemm, and which of B its columns. */
const productAxes = (node: Node): readonly [number, number] => {
  const [a, b] = transposes(node)
  return [a ? 1 : 0, b ? 0 : 1]
}

/** Whether a node itself says what it transposes; in a function, a call may. */
export const productIsReadable = ({ attributes }: Node): boolean =>
  ['transA', 'transB'].every((name) => attributes.kind(name) !== 'reference')

/** The name of a target's vector; undefined where `maker` only looks and finds none. */
export function targetVector<Result extends string | undefined>(
  maker: Maker<Result>,
  node: Node,
  operands: readonly Operand[],
  target: Target,
  expanded: (name: string) => string,
): Result {
  const shapeOf = (name: string): Result => maker.value({ operator: 'Shape', inputs: [name] }, `${name}.shape`)
  if (target.kind === 'sizes') return maker.vector(target.sizes)
  if (target.kind === 'operand') {
    const { name } = operands[target.operand]!
    return shapeOf(target.expanded ? expanded(name) : name)
  }
  const axes = productAxes(node)
  const factors = operands[0]!.factors!
  const sizes = target.sizes.map((size, i): Result => {
    if (size !== undefined) return maker.vector([size])
    const name = node.inputs[factors[i]!]!
    const inputs = [shapeOf(name), maker.vector([axes[i]!])]
    return maker.value({ operator: 'Gather', inputs: inputs.map((each) => each ?? '') }, `${name}.shape.${axes[i]}`)
  })
  const inputs = sizes.map((each) => each ?? '')
  return maker.value(
    { operator: 'Concat', inputs, attributes: [intAttribute('axis', 0)] },
    `${node.name || node.outputs[0]}.product.shape`,
  )
}
