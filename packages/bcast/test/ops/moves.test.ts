// Operators and views that only move elements keep every bit, the payloads of NaNs included, quiet and signalling:
// a program may carry data there, and a copy that goes through a float register would lose it.
import { type DType, expand, fromData, identity, type Tensor, where } from 'bcast'
import { describe, expect, it } from 'vitest'
import { onEveryBackend } from '../../../../testing/backends.ts'
import { make } from '../../../../testing/elements.ts'
import { loosely } from '../support/operators.ts'

const TYPES = ['float16', 'bfloat16', 'float32', 'float64'] as const
type Float = (typeof TYPES)[number]

/** Signalling and quiet NaNs with payloads, both signs; then values whose bits must also survive. */
const BITS: Readonly<Record<Float, readonly bigint[]>> = {
  float16: [0x7c01n, 0xfc01n, 0x7d55n, 0x7e01n, 0xfeabn, 0x7fffn, 0xffffn, 0x8000n, 0x0001n],
  bfloat16: [0x7f81n, 0xff81n, 0x7fa5n, 0x7fc1n, 0xffd5n, 0x7fffn, 0xffffn, 0x8000n, 0x0001n],
  float32: [0x7f800001n, 0xff800001n, 0x7fa12345n, 0x7fc00001n, 0xffd54321n, 0x7fffffffn, 0xffffffffn, 0x80000000n, 1n],
  float64: [
    0x7ff0000000000001n,
    0xfff0000000000001n,
    0x7ff123456789abcdn,
    0x7ff8000000000001n,
    0xfff9876543210abcn,
    0x7fffffffffffffffn,
    0xffffffffffffffffn,
    0x8000000000000000n,
    1n,
  ],
}

const COUNT = 9

const integersOf = (array: ArrayBufferView): BigUint64Array | Uint32Array | Uint16Array => {
  const { buffer, byteOffset, byteLength } = array
  if (array instanceof Float64Array) return new BigUint64Array(buffer, byteOffset, byteLength / 8)
  return array instanceof Float32Array
    ? new Uint32Array(buffer, byteOffset, byteLength / 4)
    : new Uint16Array(buffer, byteOffset, byteLength / 2)
}

/** A tensor of the given bits; storage is filled through integers, so no float register sees them. */
function ofBits(dtype: Float, shape: readonly number[] = [COUNT], repeat = 1): Tensor {
  const bits = BITS[dtype]
  const array =
    dtype === 'float64'
      ? new Float64Array(COUNT * repeat)
      : dtype === 'float32'
        ? new Float32Array(COUNT * repeat)
        : new Uint16Array(COUNT * repeat)
  const integers = integersOf(array)
  for (let i = 0; i < integers.length; i++)
    integers[i] = (dtype === 'float64' ? bits[i % COUNT] : Number(bits[i % COUNT])) as never
  return fromData(dtype as DType, array as never, shape) as Tensor
}

const bitsIn = (x: Tensor): bigint[] =>
  Array.from(integersOf(x.data as ArrayBufferView) as ArrayLike<number | bigint>, BigInt)

onEveryBackend(() => {
  describe.each(TYPES)('%s', (dtype) => {
    const bits = BITS[dtype]

    it('the test itself sees the bits', () => {
      expect(bitsIn(ofBits(dtype))).toEqual(bits)
    })

    it('identity', () => {
      expect(bitsIn(identity(ofBits(dtype)))).toEqual(bits)
      const out = ofBits(dtype, [COUNT])
      expect(bitsIn(loosely('identity')(ofBits(dtype).slice([null, null, -1]), { out }))).toEqual(bits.toReversed())
    })

    it('where, from either side', () => {
      const yes = make('bool', new Array<boolean>(COUNT).fill(true))
      const no = make('bool', [false])
      const zero = make(dtype, [0])
      expect(bitsIn(loosely('where')(yes, ofBits(dtype), zero))).toEqual(bits)
      expect(bitsIn(loosely('where')(no, zero, ofBits(dtype)))).toEqual(bits)
      expect(bitsIn(where(no, ofBits(dtype), ofBits(dtype)))).toEqual(bits)
    })

    it('where, when out overlaps an operand', () => {
      const x = ofBits(dtype)
      const reversed = x.slice([null, null, -1]) as Tensor
      loosely('where')(make('bool', [true]), reversed, reversed, { out: x })
      expect(bitsIn(x)).toEqual(bits.toReversed())
    })

    it('expand', () => {
      expect(bitsIn(expand(ofBits(dtype), [2, COUNT]))).toEqual([...bits, ...bits])
      expect(bitsIn(loosely('expand')(ofBits(dtype, [COUNT, 1]), [COUNT, 2]))).toEqual(bits.flatMap((x) => [x, x]))
    })

    it('concat, tile, pad, take by runs and one by one', () => {
      expect(bitsIn(loosely('concat')([ofBits(dtype), ofBits(dtype)] as never))).toEqual([...bits, ...bits])
      expect(bitsIn(loosely('tile')(ofBits(dtype), [2]))).toEqual([...bits, ...bits])
      expect(bitsIn(loosely('pad')(ofBits(dtype), [[COUNT, 0]], { mode: 'wrap' }))).toEqual([...bits, ...bits])
      const backwards = bits.map((_, i) => COUNT - 1 - i)
      expect(bitsIn(loosely('take')(ofBits(dtype), backwards))).toEqual(bits.toReversed())
      const scattered = Array.from({ length: 99 }, (_, i) => (i * i * 5) % COUNT)
      expect(bitsIn(loosely('take')(ofBits(dtype), scattered))).toEqual(scattered.map((i) => bits[i]))
    })

    it('cast to the same type', () => {
      expect(bitsIn(loosely('cast')(ofBits(dtype), dtype))).toEqual(bits)
    })

    it('data of a slice, a reversal, a transposition, a broadcast', () => {
      expect(bitsIn(ofBits(dtype).slice([1, 4]) as Tensor)).toEqual(bits.slice(1, 4))
      expect(bitsIn(ofBits(dtype).slice([null, null, 2]) as Tensor)).toEqual(bits.filter((_, i) => i % 2 === 0))
      expect(bitsIn(ofBits(dtype).slice([null, null, -1]) as Tensor)).toEqual(bits.toReversed())
      expect(bitsIn(ofBits(dtype, [3, 3]).transpose() as Tensor)).toEqual(
        [0, 3, 6, 1, 4, 7, 2, 5, 8].map((i) => bits[i]),
      )
      expect(bitsIn(ofBits(dtype).broadcastTo([2, COUNT]) as Tensor)).toEqual([...bits, ...bits])
      expect(bitsIn(ofBits(dtype).slice(2) as Tensor)).toEqual([bits[2]])
      expect(bitsIn((ofBits(dtype).slice([2, 3]) as Tensor).broadcastTo([4]) as Tensor)).toEqual(
        new Array(4).fill(bits[2]),
      )
    })

    it('a reshape that has to copy', () => {
      const turned = ofBits(dtype, [3, 3]).transpose().reshape(9) as Tensor
      expect(bitsIn(turned)).toEqual([0, 3, 6, 1, 4, 7, 2, 5, 8].map((i) => bits[i]))
    })

    it('after the loops have been compiled', () => {
      // Optimised code may take other instructions than the interpreter of the engine did.
      for (let i = 0; i < 300; i++) {
        const many = ofBits(dtype, [100, COUNT], 100)
        const wanted = Array.from({ length: 100 * COUNT }, (_, k) => bits[k % COUNT]!)
        if (i % 100 === 0) expect(bitsIn(identity(many))).toEqual(wanted)
        const column = many.transpose() as Tensor
        const copied = column.data
        if (i % 100 === 99)
          expect(
            Array.from(integersOf(copied as ArrayBufferView) as ArrayLike<number | bigint>, BigInt).slice(0, 100),
          ).toEqual(new Array(100).fill(bits[0]))
      }
    })
  })
})
