// What each instruction of a program is in vectors. The operations are those of the other backends, in the same order,
// so that results have the same bits.
import { type DType, isFloat, kindOf } from 'bcast/kernels'
import { type EmitInstruction, type Emit as EmitOf, type Emitters, instructionsOf } from '../machine/emission.ts'
import { convert } from './casts.ts'
import { compared, type Predicate } from './comparison.ts'
import { type Division, divide } from './division.ts'
import type { VectorName } from './forms.ts'
import { named, suffixOf } from './names.ts'
import { power } from './power.ts'
import { multiplyBytes, multiplyWide } from './products.ts'
import type { Bits } from './registers.ts'
import { remainder } from './remainder.ts'
import { resize } from './resize.ts'
import { shift } from './shifts.ts'
import { shortcutsOf } from './shortcuts.ts'
import type { Virtual } from './steps.ts'
import { bytesOf, eachPart, type Vector, type Writer } from './vectors.ts'

type Emit = EmitOf<Writer>

/** An instruction of two operands that every type has. */
const lanewise =
  (stem: string): Emit =>
  (w, operands, dtype) =>
    eachPart(w, operands, bytesOf(dtype), ([a, b], bits) => w.op(named(stem, dtype), bits, a!, b!))

const signBit = (w: Writer, dtype: DType): Virtual =>
  dtype === 'float32' ? w.constant('uint32', 0x80000000) : w.constant('uint64', 1n << 63n)

const multiply: Emit = (w, operands, dtype, from) => {
  const width = bytesOf(dtype)
  const own = isFloat(dtype)
    ? undefined
    : width === 1
      ? multiplyBytes
      : width === 8 && !w.isWide
        ? multiplyWide
        : undefined
  if (own !== undefined) return eachPart(w, operands, width, ([a, b], bits) => own(w, bits, a!, b!))
  return lanewise(isFloat(dtype) ? 'mul' : 'mull')(w, operands, dtype, from)
}

/** Quotients and rests; only floats have those of zero. */
const division =
  (op: Division): Emit =>
  (w, operands, dtype, from) => {
    if (!isFloat(dtype)) return divide(w, op, dtype, operands)
    if (op === 'rem' || op === 'mod') return remainder(w, op, dtype, operands)
    return lanewise('div')(w, operands, dtype, from)
  }

const negate: Emit = (w, operands, dtype) =>
  eachPart(w, operands, bytesOf(dtype), ([a], bits) =>
    isFloat(dtype) ? w.xor(bits, a!, signBit(w, dtype)) : w.op(named('sub', dtype), bits, w.zeros(), a!),
  )

const magnitude: Emit = (w, operands, dtype) => {
  if (kindOf(dtype) === 'uint') return operands[0]!
  const width = bytesOf(dtype)
  if (isFloat(dtype)) {
    const rest = dtype === 'float32' ? w.constant('uint32', 0x7fffffff) : w.constant('uint64', (1n << 63n) - 1n)
    return eachPart(w, operands, width, ([a], bits) => w.and(bits, a!, rest))
  }
  if (width === 8 && !w.isWide) {
    return eachPart(w, operands, width, ([a], bits) => {
      const sign = compared(w, 'less', dtype, bits, a!, w.zeros())
      return w.op('vpsubq', bits, w.xor(bits, a!, sign), sign)
    })
  }
  return eachPart(w, operands, width, ([a], bits) => w.unary(named('abs', dtype), bits, a!))
}

/** Truth values of one width. */
function sameWidth(w: Writer, vectors: readonly Vector[]): readonly Vector[] {
  const width = Math.max(...vectors.map((vector) => vector.width))
  return vectors.map((vector) => resize(w, vector, width, true))
}

/** Comparisons of truth values, where false comes before true. */
const TRUTH: Readonly<Record<Predicate, (w: Writer, bits: Bits, a: Virtual, b: Virtual) => Virtual>> = {
  equal: (w, bits, a, b) => w.not(bits, w.xor(bits, a, b)),
  notEqual: (w, bits, a, b) => w.xor(bits, a, b),
  less: (w, bits, a, b) => w.without(bits, a, b),
  lessEqual: (w, bits, a, b) => w.or(bits, w.not(bits, a), b),
}

const comparison =
  (predicate: Predicate): Emit =>
  (w, operands, _, [from]) => {
    if (from === 'bool') {
      const same = sameWidth(w, operands)
      return eachPart(w, same, same[0]!.width, ([a, b], bits) => TRUTH[predicate](w, bits, a!, b!))
    }
    return eachPart(w, operands, bytesOf(from!), ([a, b], bits) => compared(w, predicate, from!, bits, a!, b!))
  }

const select: Emit = (w, [condition, ...sides], dtype) => {
  const values = dtype === 'bool' ? sameWidth(w, sides) : sides
  const { width } = values[0]!
  const mask = resize(w, condition!, width, true)
  return eachPart(w, [mask, ...values], width, ([c, a, b], bits) => w.choose(bits, c!, a!, b!))
}

/** The smaller of two or the larger: the other backends' operations, which have the bits of NaN and of signed zeros. */
const extreme =
  (larger: boolean): Emit =>
  (w, operands, dtype) => {
    const width = bytesOf(dtype)
    if (isFloat(dtype)) {
      const name = named(larger ? 'max' : 'min', dtype)
      return eachPart(w, operands, width, ([a, b], bits) => {
        const [one, other] = [w.op(name, bits, b!, a!), w.op(name, bits, a!, b!)]
        const both = w.or(bits, one, other)
        return larger ? w.op(named('sub', dtype), bits, both, w.xor(bits, one, other)) : both
      })
    }
    if (width === 8 && !w.isWide) {
      return eachPart(w, operands, width, ([a, b], bits) => {
        const smaller = compared(w, 'less', dtype, bits, a!, b!)
        return larger ? w.choose(bits, smaller, b!, a!) : w.choose(bits, smaller, a!, b!)
      })
    }
    const name = `vp${larger ? 'max' : 'min'}${kindOf(dtype) === 'int' ? 's' : 'u'}${suffixOf(dtype)}` as VectorName
    return eachPart(w, operands, width, ([a, b], bits) => w.op(name, bits, a!, b!))
  }

/** Operations on bits, of integers and of masks. */
const bitwise =
  (op: 'and' | 'or' | 'xor'): Emit =>
  (w, operands, dtype) => {
    const vectors = dtype === 'bool' ? sameWidth(w, operands) : operands
    return eachPart(w, vectors, vectors[0]!.width, ([a, b], bits) => w[op](bits, a!, b!))
  }

const not: Emit = (w, operands) => eachPart(w, operands, operands[0]!.width, ([a], bits) => w.not(bits, a!))

const sign: Emit = (w, operands, dtype) => {
  if (!isFloat(dtype)) {
    return eachPart(w, operands, bytesOf(dtype), ([a], bits) => {
      if (kindOf(dtype) === 'uint') {
        return w.without(bits, compared(w, 'equal', dtype, bits, a!, w.zeros()), w.constant(dtype, 1))
      }
      // Masks are -1 where true, so their difference is the sign.
      const below = compared(w, 'less', dtype, bits, a!, w.zeros())
      return w.op(named('sub', dtype), bits, below, compared(w, 'less', dtype, bits, w.zeros(), a!))
    })
  }
  return eachPart(w, operands, bytesOf(dtype), ([a], bits) => {
    const none = w.zeros()
    // Adding 0 keeps NaN and turns -0 into 0.
    const rest = w.op(named('add', dtype), bits, a!, none)
    const below = w.choose(bits, compared(w, 'less', dtype, bits, a!, none), w.constant(dtype, -1), rest)
    return w.choose(bits, compared(w, 'less', dtype, bits, none, a!), w.constant(dtype, 1), below)
  })
}

const rounding =
  (mode: number): Emit =>
  (w, operands, dtype) =>
    eachPart(w, operands, bytesOf(dtype), ([a], bits) =>
      w.unary(`v${w.isWide ? 'rndscale' : 'round'}${suffixOf(dtype)}` as VectorName, bits, a!, mode),
    )

const root: Emit = (w, operands, dtype) =>
  eachPart(w, operands, bytesOf(dtype), ([a], bits) => w.unary(named('sqrt', dtype), bits, a!))

// What follows works on float64, and power2 on float32; it has the formulas of the other backends.
const words = (w: Writer, value: bigint): Virtual => w.constant('uint64', value)

/** Moves the boundary between exponents from 1 to the square root of 1/2. */
const SHIFT = 0x00095f62_00000000n

const withSign: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a, b], bits) => w.chooseBits(bits, words(w, 1n << 63n), b!, a!))

const power2: Emit = (w, operands, dtype) =>
  dtype === 'float32'
    ? eachPart(w, operands, 4, ([a], bits) =>
        w.unary('vpslld', bits, w.op('vaddps', bits, a!, w.constant('float32', 2 ** 23 + 127)), 23),
      )
    : eachPart(w, operands, 8, ([a], bits) =>
        w.unary('vpsllq', bits, w.op('vaddpd', bits, a!, w.constant('float64', 2 ** 52 + 1023)), 52),
      )

const exponent: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a], bits) => {
    const shifted = w.unary('vpsrlq', bits, w.op('vpaddq', bits, a!, words(w, SHIFT)), 52)
    const biased = w.or(bits, shifted, words(w, 0x43300000_00000000n))
    return w.op('vsubpd', bits, biased, w.constant('float64', 2 ** 52 + 1023))
  })

const mantissa: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a], bits) => {
    const fraction = w.and(bits, w.op('vpaddq', bits, a!, words(w, SHIFT)), words(w, 0x000fffff_ffffffffn))
    return w.op('vpaddq', bits, fraction, words(w, 0x3fe6a09e_00000000n))
  })

const high: Emit = (w, operands) =>
  eachPart(w, operands, 8, ([a], bits) => w.and(bits, a!, words(w, 0xffffffff_f8000000n)))

const EMITTERS: Emitters<Writer> = {
  add: lanewise('add'),
  sub: lanewise('sub'),
  mul: multiply,
  div: division('div'),
  floorDiv: division('floorDiv'),
  rem: division('rem'),
  mod: division('mod'),
  power: (w, operands, _, [base, exponent]) => power(w, operands, base!, exponent!),
  neg: negate,
  abs: magnitude,
  sign,
  min: extreme(false),
  max: extreme(true),
  and: bitwise('and'),
  or: bitwise('or'),
  xor: bitwise('xor'),
  not,
  shl: (w, operands, dtype) => shift(w, 'l', dtype, operands),
  shr: (w, operands, dtype) => shift(w, 'r', dtype, operands),
  equal: comparison('equal'),
  less: comparison('less'),
  lessEqual: comparison('lessEqual'),
  select,
  sqrt: root,
  round: rounding(8),
  floor: rounding(9),
  ceil: rounding(10),
  withSign,
  power2,
  exponent,
  mantissa,
  high,
  cast: (w, [vector], to, [from]) => convert(w, vector!, from!, to),
}

/** A constant in every lane; truth is all bits or none. */
function constant(w: Writer, dtype: DType, value: number | bigint): Vector {
  const part = dtype === 'bool' ? (Number(value) === 0 ? w.zeros() : w.ones()) : w.constant(dtype, value)
  return { width: bytesOf(dtype), parts: [part], uniform: true }
}

const emitOne = instructionsOf(EMITTERS, constant)

export const emitInstruction: EmitInstruction<Writer> = (w, code, i, values, load) => {
  const { at, unused } = shortcutsOf(code, w.level)
  // Nobody reads it.
  if (unused.has(i)) return { width: 1, parts: [], uniform: true }
  const shortcut = at.get(i)
  if (shortcut === undefined) return emitOne(w, code, i, values, load)
  const { kind, first, second } = shortcut
  const stem = kind === 'scale' ? 'scalef' : kind
  return lanewise(stem)(w, [values[first]!, values[second]!], code[i]!.dtype, [])
}
