// Products of integers of a width that the processor has none of.
import type { Bits } from './registers.ts'
import type { Virtual } from './steps.ts'
import type { Writer } from './vectors.ts'

/** Products of bytes: of those at even places and of those at odd ones, in words whose lower byte is the product. */
export function multiplyBytes(w: Writer, bits: Bits, a: Virtual, b: Virtual): Virtual {
  const even = w.op('vpmullw', bits, a, b)
  const odd = w.op('vpmullw', bits, w.unary('vpsrlw', bits, a, 8), w.unary('vpsrlw', bits, b, 8))
  return w.or(bits, w.and(bits, even, w.constant('uint16', 0xff)), w.unary('vpsllw', bits, odd, 8))
}

/** Products of 64 bits: of the lower halves, and what of crosswise ones is not too high. */
export function multiplyWide(w: Writer, bits: Bits, a: Virtual, b: Virtual): Virtual {
  const upper = (x: Virtual): Virtual => w.unary('vpsrlq', bits, x, 32)
  const across = w.op('vpaddq', bits, w.op('vpmuludq', bits, upper(a), b), w.op('vpmuludq', bits, a, upper(b)))
  return w.op('vpaddq', bits, w.op('vpmuludq', bits, a, b), w.unary('vpsllq', bits, across, 32))
}
