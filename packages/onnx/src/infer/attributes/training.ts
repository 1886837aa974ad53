// Whether a node computes as in training, which is neither run nor raised to newer operator sets.
import type { Said } from './said.ts'

type Trained = Pick<Said, 'node' | 'opset' | 'attributes'>

/** BatchNormalization. Before opset 14 one output alone is the form for use, unless the old is_test says otherwise. */
export function trains({ node, opset, attributes }: Trained): boolean {
  if (opset >= 14) return attributes.int('training_mode', 0) !== 0
  if (opset < 7 && attributes.has('is_test')) return attributes.int('is_test') === 0
  return node.outputs.filter((name) => name !== '').length > 1
}

/** Dropout; from opset 7 on it drops nothing in use. */
export const dropsAtRandom = ({ opset, attributes }: Pick<Trained, 'opset' | 'attributes'>): boolean =>
  opset < 7 && attributes.int('is_test', 0) === 0
