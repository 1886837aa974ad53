// The places of extremes along an axis: the extreme first, then the first or last place that holds it.
import { cast, equal, instructionsOf, max, min, not, or, select } from '../backend/instructions.ts'
import { type DType, isHalf } from '../dtype/dtype.ts'
import { OperandError, typeNotTaken, wrongOption } from '../errors/index.ts'
import { FLAG } from '../expr/attributes.ts'
import { Builder, type Program } from '../expr/ir.ts'
import * as rows from '../expr/reductions.ts'
import { NUMERIC } from '../expr/type-sets.ts'
import { formatShape } from '../shape/dim.ts'
import { isOptions } from '../shape/options.ts'
import { normalAxis } from '../tensor/layout.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { checkOptions, checkTensors, described } from './arguments.ts'
import type { Computation } from './computation.ts'
import { executionOf } from './computation.ts'
import { bothWays } from './elementwise.ts'
import { intoResult, placeOf, type Reduction, reduceRuns, reduction } from './reduce.ts'
import type { WithAsync } from './when.ts'

/** What `argMax` and `argMin` take behind their tensor. */
export interface ArgReduceOptions {
  /** The axis that is searched; the tensor as one row unless said. */
  readonly axis?: number
  /** Whether the axis stays, with size 1. */
  readonly keepdims?: boolean
  /** Whether the last of several places is wanted; the first unless said. */
  readonly last?: boolean
  /** Where the result goes, of int64. */
  readonly out?: Tensor
}

type ArgReduce = ((x: Tensor, options?: ArgReduceOptions) => Tensor<'int64'>) &
  WithAsync<(x: Tensor, options?: ArgReduceOptions) => Promise<Tensor<'int64'>>>

const OPTIONS = { axis: undefined, keepdims: FLAG, last: FLAG, out: undefined }
const instructions = /* @__PURE__ */ instructionsOf(equal, or, not, select, cast, min, max)
const programs = new Map<string, Program>()

/** The place where an element is the extreme (or both are NaN), else one that no other is beyond. */
function placeProgram(dtype: DType, last: boolean): Program {
  const key = `${dtype} ${last}`
  let program = programs.get(key)
  if (program === undefined) {
    const b = new Builder([dtype, dtype, 'int32'])
    const wide = (input: number) => (isHalf(dtype) ? b.cast(b.input(input), 'float32') : b.input(input))
    const [x, extreme] = [wide(0), wide(1)]
    const isNan = b.op('not', b.compare('equal', x, x))
    const found = b.op('or', b.compare('equal', x, extreme), isNan)
    const none = b.constant('int32', last ? -1 : 2 ** 31 - 1)
    program = b.program(b.select(found, b.input(2), none))
    programs.set(key, program)
  }
  return program
}

let widening: Program | undefined

function toInt64(): Program {
  if (widening === undefined) {
    const b = new Builder(['int32'])
    widening = b.program(b.cast(b.input(0), 'int64'))
  }
  return widening
}

function* searching(own: Reduction, name: string, args: readonly unknown[]): Computation {
  const [given, options, ...rest] = args
  if (args.length === 0 || rest.length > 0 || (options !== undefined && !isOptions(options))) {
    throw new OperandError(`${name} takes a tensor, and options such as { axis: 0 } behind it.`, { operator: name })
  }
  checkTensors(name, [given])
  checkOptions(name, options, OPTIONS)
  const { axis: wanted, keepdims = false, last = false, out } = (options ?? {}) as ArgReduceOptions
  if (wanted !== undefined && typeof wanted !== 'number')
    throw wrongOption(name, 'axis', `is ${described(wanted)}`, 'it is a number')
  const tensor = given as Tensor
  if (!NUMERIC.includes(tensor.dtype)) throw typeNotTaken(name, { operand: 0, dtype: tensor.dtype }, NUMERIC)
  // Without an axis it is the place in the tensor as one row.
  const x = wanted === undefined ? (tensor.reshape(tensor.size) as Tensor) : tensor
  const axis = normalAxis(wanted ?? 0, x.rank, name)
  const size = x.shape[axis]!
  const reduced = x.shape.map((_, i) => i === axis)
  if (size === 0)
    throw new OperandError(`${name}: axis ${axis} of shape ${formatShape(x.shape)} has no elements.`, {
      operator: name,
    })
  let extremes: Tensor | undefined
  try {
    const found = yield* reduction(own, [x, { axes: axis, keepdims: true }])
    extremes = found
    return yield* intoResult(
      name,
      x,
      'int64',
      reduced,
      { keepdims, ...(out && { out }) },
      function* (result, temporary) {
        const places = temporary('int32', [size])
        for (let i = 0; i < size; i++) (places.storage as Int32Array)[places.offset + i] = i
        const still = (strides: readonly number[]) => strides.map((stride, i) => (i === axis ? 0 : stride))
        const along = { ...places, strides: x.shape.map((_, i) => (i === axis ? 1 : 0)) }
        const [of, most] = [x, found].map(({ storage, layout: { offset, strides } }) => ({
          storage,
          offset,
          strides,
        }))
        const { placed, shape } = yield* reduceRuns({
          program: placeProgram(x.dtype, last),
          combine: last ? 'max' : 'min',
          instructions,
          shape: x.shape,
          reduced,
          operands: [of!, { ...most!, strides: still(most!.strides) }, along],
          temporary,
        })
        const place = placeOf(result, x.shape, reduced, keepdims)
        yield executionOf({ program: toInt64(), instructions, shape, operands: [placed, place] }, [place.storage])
      },
    )
  } finally {
    extremes?.dispose()
    if (x !== tensor) x.dispose()
  }
}

const searcher = (name: string, own: Reduction): ArgReduce =>
  bothWays(name, (...args) => searching({ ...own, row: { ...own.row, name } }, name, args))

/**
 * The place of the greatest element along an axis; a NaN is greater than all.
 *
 * @example
 * ```ts
 * argMax(tensor([[1, 3, 2], [9, 7, 8]]), { axis: 1, keepdims: false }).toArray() // [1n, 0n]
 * ```
 */
export const argMax: ArgReduce = /* @__PURE__ */ searcher('argMax', {
  row: rows.max,
  instructions: /* @__PURE__ */ instructionsOf(max),
})
/**
 * The place of the least element along an axis; a NaN is less than all.
 *
 * @example
 * ```ts
 * argMin(tensor([[1, 3, 2], [9, 7, 8]]), { axis: 1, keepdims: false }).toArray() // [0n, 1n]
 * ```
 */
export const argMin: ArgReduce = /* @__PURE__ */ searcher('argMin', {
  row: rows.min,
  instructions: /* @__PURE__ */ instructionsOf(min),
})
