// The logarithm of a sum of exponentials, from the greatest element on so that nothing overflows.
import { abs, add, equal, float64Functions, instructionsOf, max, select } from '../backend/instructions.ts'
import type { DType } from '../dtype/dtype.ts'
import { typeNotTaken } from '../errors/index.ts'
import { Builder, type Program, type Value } from '../expr/ir.ts'
import { lowerInto } from '../expr/lower.ts'
import * as rows from '../expr/reductions.ts'
import type { Row } from '../expr/row.ts'
import * as operators from '../expr/rows/index.ts'
import { F4 } from '../expr/type-sets.ts'
import { numpy } from '../shape/rules/index.ts'
import type { Reduce } from './calls.ts'
import { type Computation, executionOf } from './computation.ts'
import { bothWays } from './elementwise.ts'
import { recordCast, recordSqueeze } from './record.ts'
import {
  checkReducedType,
  intoResult,
  placeOf,
  reduceArguments,
  reducedAxes,
  reduceRuns,
  reduction,
  reductionArguments,
} from './reduce.ts'
import { SmallCalls } from './small-calls.ts'
import type { TracedOperand } from './traced.ts'

const instructions = /* @__PURE__ */ instructionsOf(float64Functions, abs, add, equal, select)
const greatest = {
  // Whatever is taken away before is added again: the result, and so its gradient, does not depend on it.
  row: { ...rows.max, name: 'logSumExp', types: F4, derivative: () => undefined },
  instructions: /* @__PURE__ */ instructionsOf(max),
}

/** The greatest element, 0 in place of an infinite one. */
function shift(b: Builder, input: number, type: DType): Value {
  const most = b.cast(b.input(input), type)
  return b.select(b.compare('equal', b.op('abs', most), b.constant(type, Infinity)), b.constant(type, 0), most)
}

interface Programs {
  readonly powers: Program
  readonly logarithm: Program
}

const programs = new Map<DType, Programs>()

function programsOf(dtype: DType): Programs {
  let made = programs.get(dtype)
  if (made === undefined) {
    const type = rows.combinedType(dtype)
    const b = new Builder([dtype, dtype])
    const powers = b.program(
      lowerInto(b, operators.exp, [b.op('sub', b.cast(b.input(0), type), shift(b, 1, type))], {}),
    )
    const c = new Builder([type, dtype])
    const sum = lowerInto(c, operators.log, [c.input(0)], {})
    const logarithm = c.program(c.cast(c.op('add', sum, shift(c, 1, type)), dtype))
    programs.set(dtype, (made = { powers, logarithm }))
  }
  return made
}

function* logarithm(args: readonly unknown[]): Computation {
  const { x, options } = reduceArguments('logSumExp', args)
  const { dtype, shape } = x
  if (!F4.includes(dtype)) throw typeNotTaken('logSumExp', { operand: 0, dtype }, F4)
  const reduced = reducedAxes('logSumExp', options.axes, shape.length)
  const { keepdims = false } = options
  const most = yield* reduction(greatest, [x, { axes: options.axes, keepdims: true }])
  try {
    return yield* intoResult('logSumExp', x, dtype, reduced, options, function* (result, temporary) {
      const { powers, logarithm: last } = programsOf(dtype)
      const own = { storage: x.storage, offset: x.layout.offset, strides: x.layout.strides }
      const place = placeOf(result, shape, reduced, keepdims)
      const still = most.layout.strides.map((stride, axis) => (reduced[axis] ? 0 : stride))
      const shifts = { storage: most.storage, offset: most.layout.offset, strides: still }
      const isEmpty = shape.some((size, axis) => reduced[axis] && size === 0)
      if (isEmpty) {
        // The logarithm of nothing is what is the greatest of nothing.
        yield* reduction(greatest, [x, { axes: options.axes, keepdims, out: result }])
        return
      }
      const left = yield* reduceRuns({
        program: powers,
        combine: 'add',
        instructions,
        shape,
        reduced,
        operands: [own, shifts],
        temporary,
      })
      const kept = { ...shifts, strides: still.filter((_, axis) => !reduced[axis] && shape[axis] !== 1) }
      const operands = [left.placed, kept, place]
      yield executionOf({ program: last, instructions, shape: left.shape, operands }, [place.storage])
    })
  } finally {
    most.dispose()
  }
}

/** The same inside `fuse`, as an expression. */
function recorded(x: TracedOperand, args: readonly unknown[]): TracedOperand {
  const { options } = reductionArguments('logSumExp', args)
  checkReducedType(greatest.row, x.dtype)
  const { dtype, recording } = x
  const type = rows.combinedType(dtype)
  const call = (row: Row, ...operands: unknown[]): TracedOperand => recording.call(row, operands, {}, numpy, undefined)
  const kept = { ...options, keepdims: true }
  const most = recording.reduce(greatest.row, [x, kept])
  const widest = recordCast(most, type)
  const shifted = call(
    operators.where,
    call(operators.equal, call(operators.abs, widest), Number.POSITIVE_INFINITY),
    0,
    widest,
  )
  const powers = call(operators.exp, call(operators.sub, recordCast(x, type), shifted))
  const sum = call(operators.log, recording.reduce(rows.sum, [powers, kept]))
  const result = recordCast(call(operators.add, sum, shifted), dtype)
  return options.keepdims === true ? result : recordSqueeze(result, greatest.row, options.axes)
}

/**
 * The logarithm of the sum of the exponentials over axes.
 *
 * @example
 * ```ts
 * logSumExp(tensor([0])).item() // 0
 * ```
 */
export const logSumExp: Reduce = /* @__PURE__ */ bothWays(
  'logSumExp',
  (...args) => logarithm(args),
  recorded,
  /* @__PURE__ */ new SmallCalls(),
)
