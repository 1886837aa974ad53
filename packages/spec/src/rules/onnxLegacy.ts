// ONNX before opset 7: the attributes `broadcast` and `axis`. Only B stretches; a one inside B does not.
import type { Shape } from '../tensor.ts'
import { equalShapes, fail, follow, ontoFirst, type RuleResult, run, show } from './result.ts'

/** ONNX's attributes of broadcasting before operator set 7. */
export interface OnnxLegacyOptions {
  readonly broadcast?: boolean
  readonly axis?: number
}

/** The result of two shapes in ONNX before operator set 7. */
export const onnxLegacy = (shapes: readonly Shape[], options: OnnxLegacyOptions = {}): RuleResult =>
  ontoFirst(shapes, (a, b) => {
    if (!options.broadcast) {
      if (equalShapes(a, b)) return (index) => index
      return fail('onnx.legacy.broadcast', `${show(a)} and ${show(b)} differ and broadcast is off`)
    }
    const { axis } = options
    if (axis !== undefined && (!Number.isInteger(axis) || axis < 0)) {
      return fail('onnx.legacy.axis', `axis ${axis} is negative`)
    }
    if (b.length > a.length) return fail('onnx.legacy.rank', `${show(b)} has more dimensions than ${show(a)}`)
    const oneElement = b.every((size) => size === 1)
    if (oneElement) return () => b.map(() => 0)
    const start = axis ?? a.length - b.length
    if (!equalShapes(a.slice(start, start + b.length), b)) {
      return fail('onnx.legacy.run', `${show(b)} is not the run of ${show(a)} that starts at axis ${start}`)
    }
    return follow(b, run(start, b.length))
  })
