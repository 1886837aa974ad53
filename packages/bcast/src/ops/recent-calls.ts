// Small calls that repeat: for (8,8) + (8) the checks, the broadcast and the plan cost far more than the sum. A call
// whose operands have the types, shapes and strides of a recent one goes straight to its kernel; so does one with
// another number in the place of a number.

import type { Backend, BoundCall } from '../backend/backend.ts'
import { allocate, bind, compiling, isReady, shareMemory } from '../backend/backends.ts'
import { asIntegers, bitsOf, type DType, isFloat, type Storage, type TypedArray } from '../dtype/dtype.ts'
import { toStored } from '../dtype/element.ts'
import { canFault } from '../expr/ir.ts'
import { elementCount } from '../shape/dim.ts'
import { isOptions } from '../shape/options.ts'
import { extent, type Layout } from '../tensor/layout.ts'
import { Tensor } from '../tensor/tensor.ts'
import type { Request } from './compute.ts'

interface Input {
  readonly dtype: DType
  readonly layout: Layout
  /** Holds the number where the operand is one. */
  readonly literal: Tensor | undefined
  /** Bytes of an element. */
  readonly width: number
  /** First and last position that is read, counted from the operand's offset. */
  readonly low: number
  readonly high: number
  /** Whether the result may be written over the operand: each element is read before it is written, and never again. */
  readonly inPlace: boolean
}

interface Call {
  readonly inputs: readonly Input[]
  /** Undefined until it repeats, and where it cannot be bound. */
  bound: BoundCall | undefined
  /** The backend that was asked to bind it: another one may be able to. */
  by: Backend | undefined
  /** Whether the result goes into a given tensor. */
  readonly into: boolean
  readonly result: DType
  readonly layout: Layout
  /** The result's first position, counted from its offset: it may lie backward. */
  readonly low: number
  readonly count: number
  /** Bytes of an element. */
  readonly width: number
}

/** A call that went the general way: as it was settled, as it was given, and what came of it. */
export interface Learnt {
  readonly request: Request
  readonly given: readonly unknown[]
  /** Whether a number in the place of another has its type. */
  readonly literals: boolean
  readonly made: Tensor
}

/** Recent calls of one operator, newest first. */
const MAX_CALLS = 8

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean => {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

const isLike = (tensor: Tensor, dtype: DType, { shape, strides }: Layout): boolean =>
  tensor.dtype === dtype && sameNumbers(tensor.shape, shape) && sameNumbers(tensor.layout.strides, strides)

/** Of its own, because that of a tensor may be changed by whoever has it. */
const copied = ({ shape, strides, offset }: Layout): Layout => ({
  shape: shape.slice(),
  strides: strides.slice(),
  offset,
})

const NOTHING: { readonly out?: unknown } = {}

/** Whether options hold nothing but `out`: such calls are remembered. */
export function holdsOutAlone(options: object): boolean {
  for (const name in options) if (name !== 'out') return false
  return true
}

/** What stands behind the operands of a call, if it is nothing but `out`. */
export function outBehind(args: readonly unknown[], count: number): { readonly out?: unknown } | undefined {
  if (args.length === count) return NOTHING
  const behind = args[count]
  if (behind === undefined && args.length === count + 1) return NOTHING
  return args.length === count + 1 && isOptions(behind) && holdsOutAlone(behind) ? behind : undefined
}

export class RecentCalls {
  readonly #calls: Call[] = []

  /** The result of a call like a recent one, or undefined; the first `count` of the arguments are operands. */
  repeat(args: readonly unknown[], count: number, out: unknown): Tensor | undefined {
    const call = this.#find(args, count, out)
    return call === undefined ? undefined : this.#run(call, args, out as Tensor | undefined)
  }

  #find(operands: readonly unknown[], count: number, out: unknown): Call | undefined {
    search: for (const call of this.#calls) {
      if (call.inputs.length !== count || call.into !== (out !== undefined)) continue
      for (let i = 0; i < count; i++) {
        const operand = operands[i]
        const { dtype, layout, literal } = call.inputs[i]!
        const isSame =
          operand instanceof Tensor
            ? literal === undefined && isLike(operand, dtype, layout)
            : literal !== undefined && typeof operand === 'number'
        if (!isSame) continue search
      }
      if (!call.into || (out instanceof Tensor && !out.readOnly && isLike(out, call.result, call.layout))) return call
    }
    return undefined
  }

  #run(call: Call, operands: readonly unknown[], out: Tensor | undefined): Tensor | undefined {
    const { inputs, bound, result, layout } = call
    if (bound === undefined || !isReady(bound)) return undefined
    const count = inputs.length
    const arrays = new Array<TypedArray>(count + 1)
    const offsets = new Array<number>(count + 1)
    for (let i = 0; i < count; i++) {
      const { literal } = inputs[i]!
      const operand = literal ?? (operands[i] as Tensor)
      const array = operand.storage as TypedArray
      const { offset } = operand.layout
      if (literal !== undefined) array[offset] = toStored(literal.dtype, operands[i]) as number
      arrays[i] = array
      offsets[i] = offset
    }
    const { storage, offset, release } = out === undefined ? allocate(result, call.count) : placeOf(out)
    arrays[count] = storage as TypedArray
    offsets[count] = offset
    if (out !== undefined && collides(call, arrays, offsets)) return undefined
    // A fault is left to the general way, which knows where it happened.
    if (bound.call(arrays, offsets) !== 0) {
      release?.()
      return undefined
    }
    const { shape, strides } = layout
    return out ?? new Tensor(result, { shape: shape.slice(), strides, offset }, storage, release)
  }

  /**
   * Remembers a call that went the general way and could repeat. Only the second one like it is bound: most calls of a
   * program are made once, and binding takes as long as a call.
   */
  learn({ request, given, literals, made }: Learnt): void {
    const { inputs } = request
    const into = request.out !== undefined
    if (inputs.length > MAX_CALLS || made.readOnly || made.size === 0) return
    const known = this.#find(given, given.length, into ? made : undefined)
    if (known !== undefined) {
      const first = compiling()
      // One that is bound already took the general way for another reason.
      if (known.by === first) return
      known.by = first
      known.bound = boundCall(request, made)
      return
    }
    const operands = inputs.map(({ tensor }) => tensor)
    if (operands.some(({ storage }) => Array.isArray(storage))) return
    // Any number fits a float; what does not fit another type, the general way has to say.
    if (operands.some(({ dtype }, i) => !(given[i] instanceof Tensor || (literals && isFloat(dtype))))) return
    if (this.#calls.length >= MAX_CALLS) this.#calls.pop()
    const faults = canFault(request.computable.program)
    this.#calls.unshift({
      inputs: inputs.map(({ tensor: { dtype, layout }, seen }, i) => {
        const { low, high } = extent({ ...seen, offset: 0 })!
        return {
          dtype,
          layout: copied(layout),
          literal: given[i] instanceof Tensor ? undefined : operands[i]!,
          width: bitsOf(dtype) / 8,
          low,
          high,
          inPlace: !faults && dtype === made.dtype && sameNumbers(seen.strides, made.layout.strides),
        }
      }),
      bound: undefined,
      by: undefined,
      into,
      result: made.dtype,
      layout: copied(made.layout),
      low: extent({ ...made.layout, offset: 0 })!.low,
      count: elementCount(made.shape),
      width: bitsOf(made.dtype) / 8,
    })
  }
}

/** The call ready to be repeated; undefined where it always takes the general way. */
function boundCall({ computable, shape, inputs, moves }: Request, made: Tensor): BoundCall | undefined {
  const bits = (storage: Storage): Storage => (moves === true ? asIntegers(storage) : storage)
  const operands = inputs.map(({ tensor, seen }) => ({ storage: bits(tensor.storage), ...seen }))
  operands.push({ storage: bits(made.storage), ...made.layout })
  return bind({ ...computable, shape, operands })
}

const placeOf = ({ storage, layout }: Tensor) => ({ storage, offset: layout.offset, release: undefined })

/** Whether the result, which is the last array, may lie over an operand in a way that the general way has to sort out. */
function collides(
  { inputs, low: outLow, count, width: outWidth }: Call,
  arrays: readonly TypedArray[],
  offsets: readonly number[],
): boolean {
  const out = arrays[inputs.length]!
  const outFirst = out.byteOffset + (offsets[inputs.length]! + outLow) * outWidth
  const outEnd = outFirst + count * outWidth
  for (let i = 0; i < inputs.length; i++) {
    const { width, low, high, inPlace } = inputs[i]!
    const array = arrays[i]!
    const first = array.byteOffset + (offsets[i]! + low) * width
    if (first >= outEnd || outFirst >= first + (high - low + 1) * width) continue
    if (!(inPlace && first === outFirst) && shareMemory(array, out)) return true
  }
  return false
}
