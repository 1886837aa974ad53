// Conversions between registers. Floats to integers truncate and saturate, NaN gives 0; integers wrap; everything to
// bool asks whether it is zero; each float result is rounded once from the exact value.
import { type DType, kindOf } from '../../dtype/dtype.ts'
import { integerRange } from '../../dtype/element.ts'
import type { BlockStep } from './loops.ts'
import { classOf, type Register, viewOf, type W as Words } from './registers.ts'
import { narrowed, rounded } from './rounding.ts'

function floatToWord(dtype: DType, out: Words, a: Float64Array): BlockStep {
  if (dtype === 'bool') {
    return (n) => {
      for (let i = 0; i < n; i++) out[i] = a[i] !== 0 ? 1 : 0
    }
  }
  const { min, max } = integerRange(dtype)
  const [low, high] = [Number(min), Number(max)]
  return (n) => {
    for (let i = 0; i < n; i++) {
      const x = a[i]!
      // NaN fails both comparisons and is stored as 0.
      out[i] = x <= low ? low : x >= high ? high : x
    }
  }
}

const WORD = 2 ** 32

function floatToWide(dtype: DType, out: Register, a: Float64Array): BlockStep {
  const signed = dtype === 'int64'
  const [low, high] = signed ? [-(2 ** 63), 2 ** 63] : [0, 2 ** 64]
  const { unsigned: words } = out
  return (n) => {
    for (let i = 0; i < n; i++) {
      const x = Math.trunc(a[i]!)
      if (x >= high) {
        words[2 * i] = 0xffffffff
        words[2 * i + 1] = signed ? 0x7fffffff : 0xffffffff
      } else if (x <= low || Number.isNaN(x)) {
        words[2 * i] = 0
        words[2 * i + 1] = x <= low && signed ? 0x80000000 : 0
      } else {
        const upper = Math.floor(x / WORD)
        words[2 * i] = x - upper * WORD
        words[2 * i + 1] = upper
      }
    }
  }
}

function wideToFloat(to: DType, from: DType, out: Float64Array, a: Register): BlockStep {
  const low = a.unsigned
  const high: Words = from === 'int64' ? a.signed : a.unsigned
  const exact = to === 'float64'
  const round = rounded[to]!
  return (n) => {
    for (let i = 0; i < n; i++) {
      let lower = low[2 * i]!
      const upper = high[2 * i + 1]!
      // 64 bits do not fit float64. Folding the last 11 into one sticky bit (rounding to odd) leaves 53, and the
      // rounding to fewer bits that follows then sees all it needs.
      const large = upper >= 0x200000 || upper < -0x200000
      if (!exact && large) lower = ((lower & 0xfffff800) | ((lower & 0x7ff) !== 0 ? 0x800 : 0)) >>> 0
      out[i] = upper * WORD + lower
    }
    round(out, out, n)
  }
}

function wordToWide(from: DType, out: Register, a: Words): BlockStep {
  const { signed } = out
  const extend = kindOf(from) === 'int'
  return (n) => {
    for (let i = 0; i < n; i++) {
      signed[2 * i] = a[i]!
      signed[2 * i + 1] = extend && a[i]! < 0 ? -1 : 0
    }
  }
}

function wideToWord(to: DType, out: Words, a: Register): BlockStep {
  const { unsigned } = a
  if (to === 'bool') {
    return (n) => {
      for (let i = 0; i < n; i++) out[i] = (unsigned[2 * i]! | unsigned[2 * i + 1]!) !== 0 ? 1 : 0
    }
  }
  return (n) => {
    for (let i = 0; i < n; i++) out[i] = unsigned[2 * i]!
    narrowed[to]?.(out, out, n)
  }
}

/** The step that converts register `a` of type `from` into register `out` of type `to`, numbers both. */
export function conversion(to: DType, from: DType, out: Register, a: Register): BlockStep {
  const [target, source] = [classOf(to), classOf(from)]
  const [outView, view] = [viewOf(out, to), viewOf(a, from)]
  if (source === 'float') {
    if (target === 'float') return (n) => rounded[to]!(out.float, a.float, n)
    return target === 'word' ? floatToWord(to, outView as Words, a.float) : floatToWide(to, out, a.float)
  }
  if (source === 'word') {
    if (target === 'wide') return wordToWide(from, out, view as Words)
    if (target === 'float') {
      return (n) => {
        for (let i = 0; i < n; i++) out.float[i] = (view as Words)[i]!
        rounded[to]!(out.float, out.float, n)
      }
    }
    if (to === 'bool') {
      return (n) => {
        for (let i = 0; i < n; i++) out.unsigned[i] = (view as Words)[i] !== 0 ? 1 : 0
      }
    }
    const narrow = narrowed[to]
    return (n) => {
      for (let i = 0; i < n; i++) (outView as Words)[i] = (view as Words)[i]!
      narrow?.(outView as Words, outView as Words, n)
    }
  }
  if (target === 'float') return wideToFloat(to, from, out.float, a)
  if (target === 'word') return wideToWord(to, outView as Words, a)
  return (n) => {
    for (let i = 0; i < n; i++) out.wide[i] = a.wide[i]!
  }
}
