// A tensor with elements put before and behind it on each axis, or taken away.
import type { DType } from '../../dtype/dtype.ts'
import { ShapeError, wrongOperand, wrongOption } from '../../errors/index.ts'
import { formatShape, type Shape } from '../../shape/dim.ts'
import { show } from '../../shape/show.ts'
import { type Leaf, tensor } from '../../tensor/create.ts'
import type { Layout } from '../../tensor/layout.ts'
import type { Tensor } from '../../tensor/tensor.ts'
import { type Allowed, checkNoMore, checkOptions, checkTensors, described } from '../arguments.ts'
import type { Computation } from '../computation.ts'
import { bothWays } from '../elementwise.ts'
import type { OutOption } from '../options.ts'
import type { Sum } from '../views/types.ts'
import type { Given, When, WithAsync } from '../when.ts'
import { along, assembled, holding, moving } from './assemble.ts'
import { takenAlong } from './positions.ts'

/** Elements before and behind an axis; a negative number takes some away. */
export type Pads = readonly [before: number, behind: number]

/** What is put beside a tensor: a value, its edge, its mirror image without or with the edge, its other end. */
export type PadMode = 'constant' | 'edge' | 'reflect' | 'symmetric' | 'wrap'

/** What `pad` takes behind the pads. */
export interface PadOptions extends OutOption {
  /** What is put there: one value, or what the tensor holds at its edge, mirrored, or from its other end. */
  readonly mode?: PadMode
  /** The value in mode `'constant'`; zero (false, an empty string) unless said. */
  readonly value?: Leaf
}

type PadSize<N extends number, P> = P extends Pads ? Sum<Sum<N, P[0]>, P[1]> : number
export type Padded<S extends Shape, P> = {
  -readonly [I in keyof S]: I extends keyof P ? PadSize<S[I] & number, P[I]> : number
}

type PadCall<W extends When> = <D extends DType, S extends Shape, const P extends readonly Pads[]>(
  x: Tensor<D, S>,
  pads: P,
  options?: PadOptions,
) => Given<W, Tensor<D, Padded<S, P>>>

const OPTIONS: Allowed = { mode: undefined, value: undefined, out: undefined }

const remainder = (value: number, by: number): number => ((value % by) + by) % by

/** Where the elements beside an axis come from, in the modes that repeat its own. */
const REPEATED: Readonly<Record<Exclude<PadMode, 'constant'>, (position: number, size: number) => number>> = {
  edge: (position, size) => Math.min(Math.max(position, 0), size - 1),
  reflect: (position, size) => {
    const period = Math.max(2 * (size - 1), 1)
    const within = remainder(position, period)
    return within < size ? within : period - within
  },
  symmetric: (position, size) => {
    const within = remainder(position, 2 * size)
    return within < size ? within : 2 * size - 1 - within
  },
  wrap: remainder,
}

const isPair = (pair: unknown): pair is Pads =>
  Array.isArray(pair) && pair.length === 2 && pair.every((n) => Number.isSafeInteger(n))

/** Throws unless there is a pair for every axis that leaves a size: behind a constant nothing of the axis need be left. */
function checkPads(pads: unknown, shape: Shape, byValue: boolean): asserts pads is readonly Pads[] {
  const expected = 'it is one pair for each axis, such as [[1, 1], [0, 2]]'
  if (!Array.isArray(pads) || !pads.every(isPair)) throw wrongOperand('pad', 1, `is ${show(pads)}`, expected)
  if (pads.length !== shape.length) {
    throw wrongOperand('pad', 1, `has ${pads.length} pairs for shape ${formatShape(shape)}`, expected)
  }
  for (const [axis, [before, behind]] of pads.entries()) {
    const taken = byValue ? before + behind : Math.min(before, 0) + Math.min(behind, 0)
    if (shape[axis]! + taken >= 0) continue
    throw new ShapeError(
      `pad: axis ${axis} of shape ${formatShape(shape)} has fewer elements than ${before} and ${behind} take away.`,
      pads,
      axis,
    )
  }
}

function byConstant(x: Tensor, pads: readonly Pads[], value: unknown, out: Tensor | undefined): Computation {
  const filler = tensor((value ?? (x.dtype === 'string' ? '' : 0)) as number, { dtype: x.dtype }) as Tensor
  if (filler.rank > 0) throw wrongOption('pad', 'value', `is ${described(value)}`, 'it has to be one value')
  return assembled({
    name: 'pad',
    dtype: x.dtype,
    shape: x.shape.map((size, axis) => size + pads[axis]![0] + pads[axis]![1]),
    operands: [x],
    out,
    *moves(result, layout) {
      if (result.size === 0) return
      const { shape } = result
      const everywhere: Layout = { shape, strides: shape.map(() => 0), offset: filler.layout.offset }
      yield moving({ from: filler, seen: everywhere, to: layout }, result)
      let [seen, to] = [x.layout, layout]
      for (const [axis, [before, behind]] of pads.entries()) {
        const kept = Math.max(0, x.shape[axis]! + Math.min(before, 0) + Math.min(behind, 0))
        seen = along(seen, axis, Math.max(0, -before), kept)
        to = along(to, axis, Math.max(0, before), kept)
      }
      if (!seen.shape.includes(0)) yield moving({ from: x, seen, to }, result)
    },
  })
}

/** Positions along an axis; what is taken away goes first, only what is left is repeated. */
function positionsOf(mode: Exclude<PadMode, 'constant'>, size: number, [before, behind]: Pads, axis: number): number[] {
  const first = Math.max(0, -before)
  const left = size - first - Math.max(0, -behind)
  const [front, back] = [Math.max(0, before), Math.max(0, behind)]
  if (left === 0 && front + back > 0) {
    throw new ShapeError(`pad: axis ${axis} holds nothing that mode '${mode}' could repeat.`, size, axis)
  }
  return Array.from({ length: front + left + back }, (_, i) => first + REPEATED[mode](i - front, left))
}

/** One axis after the other: corners repeat what the axes before have put there. */
function* byRepeating(
  x: Tensor,
  pads: readonly Pads[],
  mode: Exclude<PadMode, 'constant'>,
  out: Tensor | undefined,
): Computation {
  const axes = pads.flatMap(([before, behind], axis) => (before === 0 && behind === 0 ? [] : [axis]))
  if (axes.length === 0) axes.push(...x.shape.map((_, axis) => axis).slice(0, 1))
  // A view of one's own, which stays though `out` be given back meanwhile.
  const place = out?.view() as Tensor | undefined
  let result = x
  try {
    for (const axis of axes) {
      const positions = positionsOf(mode, result.shape[axis]!, pads[axis]!, axis)
      const into = axis === axes.at(-1) ? place : undefined
      const next: Tensor = yield* takenAlong({ name: 'pad', x: result, axis, positions, out: into })
      if (result !== x) result.dispose()
      result = next
    }
    return out ?? result
  } finally {
    place?.dispose()
  }
}

function padded(...args: readonly unknown[]): Computation {
  const [given, pads, options, ...rest] = args
  const tensors = [given]
  checkTensors('pad', tensors)
  checkOptions('pad', options, OPTIONS)
  checkNoMore('pad', rest, "a tensor and pads, and options behind them: pad(x, [[1, 1]], { mode: 'edge' })")
  const x = tensors[0]!
  const { mode = 'constant', value, out } = (options ?? {}) as PadOptions
  checkPads(pads, x.shape, mode === 'constant')
  if (mode === 'constant' || x.rank === 0) return byConstant(x, pads, value, out)
  if (!Object.hasOwn(REPEATED, mode)) {
    const modes = Object.keys(REPEATED).map((each) => `'${each}'`)
    throw wrongOption('pad', 'mode', `is ${show(mode)}`, `it is 'constant', ${modes.join(', ')}`)
  }
  if (value !== undefined) {
    throw wrongOption('pad', 'value', `is ${show(value)}`, `mode '${mode}' repeats elements and takes no value`)
  }
  return holding(out, byRepeating(x, pads, mode, out))
}

/**
 * A tensor with elements put before and behind it: `pads[i]` is `[before, behind]` of axis i. Zeros, or another `value`,
 * unless `mode` says that its own elements are repeated, as NumPy's and ONNX's modes of the same names do. Negative
 * numbers take elements away.
 *
 * @example
 * ```ts
 * pad(tensor([1, 2]), [[1, 2]]).toArray() // [0, 1, 2, 0, 0]
 * pad(tensor([1, 2, 3]), [[2, 0]], { mode: 'reflect' }).toArray() // [3, 2, 1, 2, 3]
 * ```
 */
export const pad: PadCall<'now'> & WithAsync<PadCall<'async'>> = /* @__PURE__ */ bothWays('pad', padded)
