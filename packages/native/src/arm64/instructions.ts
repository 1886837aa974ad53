// What each instruction of a program is in vectors of NEON. The operations are those of the other backends, in the same
// order, so that results have the same bits; what has no machine code here is left to them.
import { type DType, isFloat } from 'bcast/kernels'
import { type EmitInstruction, type Emit as EmitOf, type Emitters, instructionsOf } from '../machine/emission.ts'
import { bytesOf, isSigned } from '../machine/types.ts'
import { convert } from './casts.ts'
import { compared, type Predicate } from './comparison.ts'
import type { VectorName } from './forms.ts'
import { type Division, divide, power } from './lanes.ts'
import { remainder } from './remainder.ts'
import { resize } from './resize.ts'
import type { Virtual } from './steps.ts'
import { eachPart, type Vector, type Writer } from './vectors.ts'

type Emit = EmitOf<Writer>

/** One instruction on the lanes of a type. */
const lanewise =
  (nameOf: (dtype: DType) => VectorName): Emit =>
  (w, operands, dtype) =>
    eachPart(w, operands, bytesOf(dtype), (...parts) => w.op(nameOf(dtype), bytesOf(dtype), ...parts))

/** An instruction that floats and integers have by two names. */
const either = (float: VectorName, integer: VectorName): Emit => lanewise((dtype) => (isFloat(dtype) ? float : integer))

const always = (name: VectorName): Emit => lanewise(() => name)

/** 64-bit products from those of the halves: both mixed ones count in the upper half alone. */
const multiply64: Emit = (w, operands) =>
  eachPart(w, operands, 8, (a, b) => {
    const mixed = w.op('uaddlp', 4, w.op('mul', 4, a!, w.op('rev64', 4, b!)))
    const low = w.op('umull', 4, w.op('xtn', 4, a!), w.op('xtn', 4, b!))
    return w.op('add', 8, w.shift('shl', 8, mixed, 32), low)
  })

const product = either('fmul', 'mul')
const multiply: Emit = (w, operands, dtype, dtypes) =>
  (!isFloat(dtype) && bytesOf(dtype) === 8 ? multiply64 : product)(w, operands, dtype, dtypes)

const quotient = always('fdiv')
const division =
  (op: Division): Emit =>
  (w, operands, dtype, dtypes) => {
    if (!isFloat(dtype)) return divide(w, op, dtype, operands)
    if (op !== 'div') return remainder(w, op, dtype, operands)
    return quotient(w, operands, dtype, dtypes)
  }

const magnitudeOf = either('fabs', 'abs')
const magnitude: Emit = (w, operands, dtype, dtypes) =>
  isFloat(dtype) || isSigned(dtype) ? magnitudeOf(w, operands, dtype, dtypes) : operands[0]!

/** Truth values of one width. */
function sameWidth(w: Writer, vectors: readonly Vector[]): readonly Vector[] {
  const width = Math.max(...vectors.map((vector) => vector.width))
  return vectors.map((vector) => resize(w, vector, width, true))
}

/** Comparisons of truth values, where false comes before true, on bits: x < y is y without x. */
const TRUTHS: Readonly<Record<Predicate, (w: Writer, x: Virtual, y: Virtual) => Virtual>> = {
  equal: (w, x, y) => w.op('mvn', 1, w.op('eor', 1, x, y)),
  less: (w, x, y) => w.op('bic', 1, y, x),
  lessEqual: (w, x, y) => w.op('orn', 1, y, x),
}

const comparison =
  (predicate: Predicate): Emit =>
  (w, operands, _, [from]) => {
    if (from === 'bool') {
      const same = sameWidth(w, operands)
      return eachPart(w, same, same[0]!.width, (a, b) => TRUTHS[predicate](w, a!, b!))
    }
    return eachPart(w, operands, bytesOf(from!), (a, b) => compared(w, predicate, from!, a!, b!))
  }

const select: Emit = (w, [condition, ...sides], dtype) => {
  const values = dtype === 'bool' ? sameWidth(w, sides) : sides
  const { width } = values[0]!
  const mask = resize(w, condition!, width, true)
  return eachPart(w, [mask, ...values], width, (c, a, b) => w.choose(c!, a!, b!))
}

/** The smaller of two or the larger; the instructions for floats give NaN if either is, and have -0 below 0. */
const extreme =
  (larger: boolean): Emit =>
  (w, operands, dtype) => {
    const width = bytesOf(dtype)
    const name = larger ? 'max' : 'min'
    if (!isFloat(dtype) && width === 8) {
      return eachPart(w, operands, 8, (a, b) => {
        const isLess = compared(w, 'less', dtype, a!, b!)
        return larger ? w.choose(isLess, b!, a!) : w.choose(isLess, a!, b!)
      })
    }
    const prefix = isFloat(dtype) ? 'f' : isSigned(dtype) ? 's' : 'u'
    return eachPart(w, operands, width, (a, b) => w.op(`${prefix}${name}`, width, a!, b!))
  }

/** Operations on bits, of integers and of masks. */
const bitwise =
  (name: 'and' | 'orr' | 'eor'): Emit =>
  (w, operands, dtype) => {
    const vectors = dtype === 'bool' ? sameWidth(w, operands) : operands
    return eachPart(w, vectors, vectors[0]!.width, (a, b) => w.op(name, 1, a!, b!))
  }

const not: Emit = (w, operands) => eachPart(w, operands, operands[0]!.width, (a) => w.op('mvn', 1, a!))

/** Amounts lie within the type's width; those to the right are told as what is below zero. */
const shift =
  (right: boolean): Emit =>
  (w, operands, dtype) => {
    const width = bytesOf(dtype)
    const name = right && isSigned(dtype) ? 'sshl' : 'ushl'
    return eachPart(w, operands, width, (a, b) => w.op(name, width, a!, right ? w.op('neg', width, b!) : b!))
  }

const sign: Emit = (w, operands, dtype) => {
  const width = bytesOf(dtype)
  return eachPart(w, operands, width, (a) => {
    const none = w.zeros()
    if (!(isFloat(dtype) || isSigned(dtype))) return w.and(w.op('cmtst', width, a!, a!), w.constant(dtype, 1))
    const [below, above] = [compared(w, 'less', dtype, a!, none), compared(w, 'less', dtype, none, a!)]
    // Masks are -1 where true, so their difference is the sign.
    if (!isFloat(dtype)) return w.op('sub', width, below, above)
    // Adding 0 keeps NaN and turns -0 into 0.
    const rest = w.op('fadd', width, a!, none)
    return w.choose(above, w.constant(dtype, 1), w.choose(below, w.constant(dtype, -1), rest))
  })
}

// What follows works on float64, and power2 on float32; it has the formulas of the other backends.
const words = (w: Writer, value: bigint): Virtual => w.constant('uint64', value)

/** Moves the boundary between exponents from 1 to the square root of 1/2. */
const SHIFT = 0x00095f62_00000000n

const withSign: Emit = (w, operands) => eachPart(w, operands, 8, (a, b) => w.choose(words(w, 1n << 63n), b!, a!))

const power2: Emit = (w, operands, dtype) =>
  dtype === 'float32'
    ? eachPart(w, operands, 4, (a) => w.shift('shl', 4, w.op('fadd', 4, a!, w.constant('float32', 2 ** 23 + 127)), 23))
    : eachPart(w, operands, 8, (a) => w.shift('shl', 8, w.op('fadd', 8, a!, w.constant('float64', 2 ** 52 + 1023)), 52))

const exponent: Emit = (w, operands) =>
  eachPart(w, operands, 8, (a) => {
    const shifted = w.shift('ushr', 8, w.op('add', 8, a!, words(w, SHIFT)), 52)
    const biased = w.or(shifted, words(w, 0x43300000_00000000n))
    return w.op('fsub', 8, biased, w.constant('float64', 2 ** 52 + 1023))
  })

const mantissa: Emit = (w, operands) =>
  eachPart(w, operands, 8, (a) => {
    const fraction = w.and(w.op('add', 8, a!, words(w, SHIFT)), words(w, 0x000fffff_ffffffffn))
    return w.op('add', 8, fraction, words(w, 0x3fe6a09e_00000000n))
  })

const high: Emit = (w, operands) => eachPart(w, operands, 8, (a) => w.and(a!, words(w, 0xffffffff_f8000000n)))

const EMITTERS: Emitters<Writer> = {
  add: either('fadd', 'add'),
  sub: either('fsub', 'sub'),
  mul: multiply,
  div: division('div'),
  floorDiv: division('floorDiv'),
  rem: division('rem'),
  mod: division('mod'),
  power: (w, operands, _, [base, by]) => power(w, operands, base!, by!),
  neg: either('fneg', 'neg'),
  abs: magnitude,
  sign,
  min: extreme(false),
  max: extreme(true),
  and: bitwise('and'),
  or: bitwise('orr'),
  xor: bitwise('eor'),
  not,
  shl: shift(false),
  shr: shift(true),
  equal: comparison('equal'),
  less: comparison('less'),
  lessEqual: comparison('lessEqual'),
  select,
  sqrt: always('fsqrt'),
  round: always('frintn'),
  floor: always('frintm'),
  ceil: always('frintp'),
  withSign,
  power2,
  exponent,
  mantissa,
  high,
  cast: (w, [vector], to, [from]) => convert(w, vector!, from!, to),
}

/** A constant in every lane; truth is all bits or none. */
function constant(w: Writer, dtype: DType, value: number | bigint): Vector {
  const part = dtype === 'bool' ? w.constant('uint8', Number(value) === 0 ? 0 : 255) : w.constant(dtype, value)
  return { width: bytesOf(dtype), parts: [part], uniform: true }
}

export const emitInstruction: EmitInstruction<Writer> = instructionsOf(EMITTERS, constant)
