// What elements and ranks tell: a divisor that is zero, more axes than a target takes, tensors that are sparse.
import { constantOf } from '../../dims/index.ts'
import { OnnxError } from '../../errors/index.ts'
import { dimOfScalar, isFloat, type Known, type Scalar } from '../../infer/known.ts'
import type { ExternalFiles } from '../../model/external.ts'
import type { Graph } from '../../model/scope.ts'
import { tensorOf } from '../../model/tensor-data.ts'
import { atNode, atPath, type Lint } from '../finding.ts'
import type { CheckedOperand } from '../verdict.ts'
import { quote, shapeText } from '../words.ts'

/** The first element that is zero for certain; -1 when none is, or elements are not known. */
function zeroIn(known: Known, { producer }: CheckedOperand, files: ExternalFiles | undefined): number {
  if (known.kind !== 'tensor') return -1
  if (known.values !== undefined) return known.values.findIndex(isZero)
  const definition = producer?.definition
  // Inference knows the elements of small constants alone.
  if (definition?.kind !== 'initializer' || definition.initializer.sparse) return -1
  try {
    const { data } = tensorOf(definition.initializer.proto, files === undefined ? {} : { files })
    return Array.prototype.findIndex.call(data, (element) => Number(element) === 0)
  } catch (error) {
    if (error instanceof OnnxError) return -1
    throw error
  }
}

function isZero(value: Scalar): boolean {
  const dim = dimOfScalar(value)
  return dim !== null && constantOf(dim) === 0n
}

export const divisionByZero: Lint = function* ({ inference, broadcasts, files }) {
  for (const { node, frame, operands } of broadcasts) {
    if (node.domain !== '' || (node.opType !== 'Div' && node.opType !== 'Mod')) continue
    const divisor = operands[1]
    if (divisor === undefined || divisor.element === undefined || isFloat(divisor.element)) continue
    const zero = zeroIn(inference.valueIn(frame, divisor.name), divisor, files)
    if (zero < 0) continue
    const sentence = `element ${zero} of the divisor ${quote(divisor.name)} ${shapeText(divisor.shape)} is 0; integers divided by it have no value.`
    const more = { name: divisor.name, clause: `ONNX ${node.opType}`, operands }
    yield atNode('integer-division-by-zero', { node, frame }, sentence, more)
  }
}

export const ranks: Lint = function* ({ inference, profile }) {
  const { maxRank } = profile
  if (maxRank === null) return
  for (const { frame, name, known } of inference.values()) {
    if (known.kind !== 'tensor' || known.shape === null || known.shape.length <= maxRank) continue
    const sentence = `${quote(name)} ${shapeText(known.shape)} has rank ${known.shape.length}; profile ${profile.name} takes ${maxRank} at most.`
    const clause = `profile ${profile.name}, maxRank`
    const cause = `rank ${known.shape.length}`
    const definition = frame.scope.definitions.get(name)
    yield definition?.kind === 'output'
      ? atNode('rank-limit', { node: definition.node, frame }, sentence, { name, clause, cause })
      : { ...atPath('rank-limit', frame.scope.path, sentence, name), clause, cause }
  }
}

export const sparse: Lint = function* ({ inference }) {
  const graphs = new Set(
    inference.frames.map(({ scope }) => scope).filter((scope): scope is Graph => scope.kind === 'graph'),
  )
  for (const { path, initializers } of graphs) {
    for (const { name, sparse: isSparse } of initializers.values()) {
      if (!isSparse) continue
      yield { ...atPath('sparse-tensor', path, `initializer ${quote(name)} is sparse.`, name), cause: 'sparse' }
    }
  }
}
