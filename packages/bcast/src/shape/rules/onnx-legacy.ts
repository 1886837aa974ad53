// ONNX before opset 7. Without `broadcast` shapes must be equal. With it, B goes onto A and is either one
// element (any all-ones shape, rank at most A's) or a run of A's sizes from `axis` on; an absent axis means
// A's end. Ones inside B do not stretch.
import type { Dim } from '../dim.ts'
import { type Alignment, axesFrom, type Misfit, type Rule, rankMisfit } from '../rule.ts'
import { none } from './none.ts'
import { numpy } from './numpy.ts'
import { checkFlag, checkOptionalAxis, checkOptions } from './options.ts'
import { startingAt } from './starting-at.ts'

/** Options of `onnxLegacy`, ONNX's attributes before operator set 7. */
export interface OnnxLegacyOptions {
  readonly broadcast?: boolean
  readonly axis?: number
}

/** What `onnxLegacy` gives. */
export type OnnxLegacyRule = Rule<'onnxLegacy', OnnxLegacyOptions>

function align(shapes: readonly (readonly Dim[])[], onto: number, axis: number | undefined): Alignment | Misfit {
  const tooLong = rankMisfit(shapes, onto)
  if (tooLong !== undefined) return tooLong
  const rank = shapes[onto]!.length
  return {
    rank,
    axes: shapes.map(({ length }, operand) =>
      operand === onto ? axesFrom(0, rank) : startingAt(axis ?? rank - length, length, rank),
    ),
  }
}

/**
 * ONNX before operator set 7: B goes onto a run of A's axes, if `broadcast` says so.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 3, 4], [3], { broadcast: onnxLegacy({ broadcast: true, axis: 1 }) }) // [2, 3, 4]
 * ```
 */
export function onnxLegacy(options: OnnxLegacyOptions = {}): OnnxLegacyRule {
  checkOptions('onnxLegacy', options, ['broadcast', 'axis'])
  const { broadcast = false, axis } = options
  checkFlag('onnxLegacy', 'broadcast', broadcast)
  checkOptionalAxis('onnxLegacy', axis)
  return {
    name: 'onnxLegacy',
    options: { ...options },
    relation: broadcast ? 'run' : 'equal',
    oneWay: true,
    requirement: broadcast ? "B must be one element or a run of A's sizes" : 'shapes must be equal without broadcast=1',
    clause: 'ONNX operators before opset 7, attributes broadcast and axis',
    label: `onnxLegacy(broadcast=${broadcast ? 1 : 0}${axis === undefined ? '' : `, axis=${axis}`})`,
    reach: axis === undefined ? 0 : axis + 1,
    others: (axes) => [
      onnxLegacy({ broadcast: true }),
      ...axes.map((start) => onnxLegacy({ broadcast: true, axis: start })),
      numpy,
    ],
    align: (shapes, onto) => (broadcast ? align(shapes, onto, axis) : none.align(shapes, onto)),
  }
}
