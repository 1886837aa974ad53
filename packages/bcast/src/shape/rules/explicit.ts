// The axes of B are named. axesMapping[i] is the result axis of B's axis i, ascending; a size 1 stretches
// (strict, nGraph: it does not). broadcastAxes is nGraph's set of result axes that are new: unordered, unique,
// in range, and A's shape without them must equal B's.
// @clause ngraph.arg, ngraph.axisset, ngraph.output, ngraph.match, ngraph.p, ngraph.definition
import { RuleError } from '../../errors/index.ts'
import type { Dim } from '../dim.ts'
import {
  type Alignment,
  alignRight,
  axesFrom,
  isMisfit,
  type Misfit,
  operandName,
  type Place,
  type Rule,
} from '../rule.ts'
import { checkFlag, checkOptions, checkResultAxis } from './options.ts'

/** Result axes by position; `null` for one not known before run time. */
export type AxesMapping = readonly (number | null)[] | null

/** Options of `explicit` that name the result's axis of each axis of B. */
export interface AxesMappingOptions<M extends AxesMapping = AxesMapping> {
  readonly axesMapping: M
  readonly strict?: boolean
}

/** Options of `explicit` that name the axes of the result that B does not have. */
export interface BroadcastAxesOptions<X extends readonly number[] = readonly number[]> {
  readonly broadcastAxes: X
}

/** What `explicit` gives. */
export type ExplicitRule<O = AxesMappingOptions | BroadcastAxesOptions> = Rule<'explicit', O>

type Shapes = readonly (readonly Dim[])[]

function alignMapping(shapes: Shapes, onto: number, mapping: readonly number[]): Alignment | Misfit {
  const rank = shapes[onto]!.length
  const axes: (readonly number[])[] = []
  const ones: Place[] = []
  const beyond = mapping.find((axis) => axis >= rank)
  for (const [operand, { length }] of shapes.entries()) {
    if (operand === onto) {
      axes.push(axesFrom(0, rank))
      continue
    }
    if (beyond !== undefined) {
      return {
        misfit: `axesMapping names axis ${beyond}, and ${operandName(onto)} has rank ${rank}`,
        operands: [onto, operand],
      }
    }
    const scalarPlaced = length === 0 && mapping.length === 1
    if (mapping.length !== length && !scalarPlaced) {
      return {
        misfit: `axesMapping has ${mapping.length} entries and ${operandName(operand)} has rank ${length}; each axis needs one`,
        operands: [onto, operand],
      }
    }
    // OpenVINO lets a scalar name one axis, provided the result has size 1 there.
    if (scalarPlaced) ones.push({ operand: onto, axis: mapping[0]! })
    axes.push(scalarPlaced ? [] : mapping)
  }
  return ones.length === 0 ? { rank, axes } : { rank, axes, ones }
}

/** With more possible mappings than this none is tried, and the verdict stays open. */
const MAX_CANDIDATES = 500

/** Every ascending mapping into `rank` axes that agrees with the entries known; undefined when there are too many. */
function mappingsOf(mapping: readonly (number | null)[], rank: number): number[][] | undefined {
  let found: number[][] = [[]]
  for (const known of mapping) {
    found = found.flatMap((start) =>
      axesFrom(0, rank).flatMap((axis) =>
        axis > (start.at(-1) ?? -1) && (known === null || known === axis) ? [[...start, axis]] : [],
      ),
    )
    if (found.length > MAX_CANDIDATES) return undefined
  }
  return found
}

/** A mapping that is not known, or not in full: what it could be. */
function alignUnknown(shapes: Shapes, onto: number, mapping: AxesMapping): Alignment | Misfit {
  const rank = shapes[onto]!.length
  const what = 'axesMapping'
  const axes = shapes.map((_, operand) => (operand === onto ? axesFrom(0, rank) : []))
  const others = shapes.flatMap((shape, operand) => (operand === onto ? [] : [shape.length]))
  // A mapping of unknown length has one entry for each axis, or the one that a scalar may name.
  const lengths = mapping === null ? new Set([...others, 1]) : [mapping.length]
  const candidates: Alignment[] = []
  for (const length of lengths) {
    const mappings = mappingsOf(mapping ?? new Array<null>(length).fill(null), rank)
    if (mappings === undefined) return { rank, axes, undetermined: { what, candidates: [] } }
    for (const each of mappings) {
      const alignment = alignMapping(shapes, onto, each)
      if (!isMisfit(alignment)) candidates.push(alignment)
    }
  }
  if (candidates.length > 0) return { rank, axes, undetermined: { what, candidates } }
  const operand = shapes.findIndex((_, i) => i !== onto)
  return {
    misfit: `no axesMapping puts rank ${shapes[operand]!.length} of ${operandName(operand)} into rank ${rank} of ${operandName(onto)}`,
    operands: [onto, operand],
  }
}

function alignSet(shapes: Shapes, onto: number, added: readonly number[]): Alignment | Misfit {
  const rank = shapes[onto]!.length
  const beyond = added.find((axis) => axis >= rank)
  if (beyond !== undefined) {
    return { misfit: `broadcastAxes names axis ${beyond}, and ${operandName(onto)} has rank ${rank}`, operands: [onto] }
  }
  const kept = axesFrom(0, rank).filter((axis) => !added.includes(axis))
  const other = shapes.findIndex((shape, operand) => operand !== onto && shape.length !== kept.length)
  if (other >= 0) {
    return {
      misfit: `${operandName(onto)} without the axes {${added.join(',')}} has rank ${kept.length}, and ${operandName(other)} has rank ${shapes[other]!.length}`,
      operands: [onto, other],
    }
  }
  return { rank, axes: shapes.map((_, operand) => (operand === onto ? axesFrom(0, rank) : kept)) }
}

/** The two options, as errors name them. */
const BROADCAST_AXES = { rule: 'explicit', option: 'broadcastAxes' } as const
const AXES_MAPPING = { rule: 'explicit', option: 'axesMapping' } as const

function fromSet({ broadcastAxes }: BroadcastAxesOptions): ExplicitRule {
  if (!Array.isArray(broadcastAxes))
    throw new RuleError('explicit: broadcastAxes is not an array of axes.', { ...BROADCAST_AXES, value: broadcastAxes })
  const axes: readonly number[] = Array.from(broadcastAxes)
  for (const [i, axis] of axes.entries()) {
    checkResultAxis('explicit', 'broadcastAxes', i, axis)
    if (axes.indexOf(axis) !== i) {
      throw new RuleError(`explicit: broadcastAxes names axis ${axis} twice; it is a set.`, {
        ...BROADCAST_AXES,
        value: axes,
      })
    }
  }
  return {
    name: 'explicit',
    options: { broadcastAxes: axes },
    relation: 'equal',
    oneWay: true,
    requirement: "the result's shape without broadcastAxes must be the argument's",
    clause: 'nGraph Broadcast, shape of arg',
    label: `explicit(broadcastAxes={${axes.join(',')}})`,
    reach: Math.max(-1, ...axes) + 1,
    align: (shapes, onto) => (shapes.length === 1 ? alignRight(shapes) : alignSet(shapes, onto, axes)),
  }
}

function fromMapping(options: AxesMappingOptions): ExplicitRule {
  const { strict = false } = options
  checkFlag('explicit', 'strict', strict)
  if (options.axesMapping !== null && !Array.isArray(options.axesMapping)) {
    throw new RuleError('explicit: give axesMapping or broadcastAxes, an array of axes of the result.', {
      ...AXES_MAPPING,
      value: options.axesMapping,
    })
  }
  const axesMapping: AxesMapping = options.axesMapping === null ? null : Array.from(options.axesMapping)
  let before = -1
  for (const [i, axis] of (axesMapping ?? []).entries()) {
    if (axis === null) continue
    checkResultAxis('explicit', 'axesMapping', i, axis)
    if (axis <= before) {
      throw new RuleError(
        `explicit: axesMapping [${axesMapping!.join(',')}] is not ascending at position ${i}. A broadcast does not transpose: transpose the operand first.`,
        { ...AXES_MAPPING, value: axesMapping },
      )
    }
    before = axis
  }
  const known = axesMapping?.every((axis) => axis !== null) ?? false
  const text = axesMapping === null ? '?' : axesMapping.map((axis) => axis ?? '?').join(',')
  return {
    name: 'explicit',
    options: { ...options, axesMapping },
    relation: strict ? 'equal' : 'onto',
    oneWay: true,
    requirement: strict
      ? 'a size must be the size it is mapped onto'
      : 'a size must be 1 or the size it is mapped onto',
    clause: 'OpenVINO Broadcast, mode explicit',
    label: `explicit(axesMapping=[${text}]${strict ? ', strict' : ''})`,
    reach: Math.max(before + 1, axesMapping?.length ?? 0),
    align: (shapes, onto) => {
      if (shapes.length === 1) return alignRight(shapes)
      return known
        ? alignMapping(shapes, onto, axesMapping as readonly number[])
        : alignUnknown(shapes, onto, axesMapping)
    },
  }
}

/**
 * B's axes are named: by the axes of A that they go to, or by the axes of A that B does not have.
 *
 * @example
 * ```ts
 * broadcastShapes([2, 3, 4], [3], { broadcast: explicit({ axesMapping: [1] }) }) // [2, 3, 4]
 * ```
 */
export function explicit<const M extends AxesMapping>(
  options: AxesMappingOptions<M>,
): ExplicitRule<AxesMappingOptions<M>>
export function explicit<const X extends readonly number[]>(
  options: BroadcastAxesOptions<X>,
): ExplicitRule<BroadcastAxesOptions<X>>
export function explicit(options: AxesMappingOptions | BroadcastAxesOptions): ExplicitRule {
  checkOptions('explicit', options, ['axesMapping', 'strict', 'broadcastAxes'])
  if (!('broadcastAxes' in options)) return fromMapping(options)
  if ('axesMapping' in options || 'strict' in options) {
    throw new RuleError('explicit: axesMapping (with strict) and broadcastAxes are two ways; give one of them.', {
      rule: 'explicit',
    })
  }
  return fromSet(options)
}
