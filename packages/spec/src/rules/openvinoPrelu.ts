// Where OpenVINO puts PRelu's slope: a 1-D slope belongs to the channels (axis 1) whenever its length fits there.
import type { Shape } from '../tensor.ts'
import { equalShapes, fail, follow, ontoFirst, type RuleResult } from './result.ts'
import { unidirectional } from './unidirectional.ts'

/** The result of OpenVINO's PRelu, whose slope of one axis goes to the second axis of the data. */
export const openvinoPrelu = (shapes: readonly Shape[]): RuleResult =>
  ontoFirst(shapes, (x, slope) => {
    const channels = slope.length === 1 && x.length >= 2 && x[1] === slope[0]
    if (channels) return follow(slope, [1])
    // A vector of one element is OpenVINO's scalar slope; it serves a scalar X too.
    if (equalShapes(slope, [1])) return () => [0]
    const placed = unidirectional([x, slope])
    return placed.ok ? placed.maps[1]! : fail('openvino.prelu', placed.reason)
  })
