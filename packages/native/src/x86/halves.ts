// 16-bit floats, which compute as float32: widened when read and rounded once, ties to even, when a result is made.
import type { DType } from 'bcast/kernels'
import { compared } from './comparison.ts'
import { pullTogether, resize, spreadOut } from './resize.ts'
import { eachPart, type Vector, type Writer } from './vectors.ts'

/** 16-bit floats as float32. */
export function widenHalf(w: Writer, vector: Vector, from: DType): Vector {
  if (from === 'float16') return spreadOut(w, vector, 4, (part, bits) => w.unary('vcvtph2ps', bits, part))
  return eachPart(w, [resize(w, vector, 4, false)], 4, ([a], bits) => w.unary('vpslld', bits, a!, 16))
}

/** float32 as 16-bit floats. */
export const narrowHalf = (w: Writer, vector: Vector, to: DType): Vector =>
  to === 'float16' ? narrowFloat16(w, vector) : narrowBfloat16(w, vector)

/** float32 as float16, ties to even; NaN keeps its sign alone, as on the other backends. */
function narrowFloat16(w: Writer, vector: Vector): Vector {
  const plain = eachPart(w, [vector], 4, ([a], bits) => {
    const isNumber = compared(w, 'equal', 'float32', bits, a!, a!)
    const quiet = w.chooseBits(bits, w.constant('uint32', 0x80000000), a!, w.constant('uint32', 0x7fc00000))
    return w.choose(bits, isNumber, a!, quiet)
  })
  return pullTogether(w, plain, 2, (part, bits) => w.narrow('vcvtps2ph', bits, part, 0))
}

/** float32 as bfloat16, ties to even; NaN keeps its sign and gets a bit that rounding cannot reach. */
function narrowBfloat16(w: Writer, vector: Vector): Vector {
  const rounded = eachPart(w, [vector], 4, ([a], bits) => {
    const last = w.and(bits, w.unary('vpsrld', bits, a!, 16), w.constant('uint32', 1))
    const up = w.op('vpaddd', bits, w.op('vpaddd', bits, last, w.constant('uint32', 0x7fff)), a!)
    const quiet = w.or(bits, a!, w.constant('uint32', 0x00400000))
    return w.unary('vpsrld', bits, w.choose(bits, compared(w, 'equal', 'float32', bits, a!, a!), up, quiet), 16)
  })
  return resize(w, rounded, 2, false)
}
