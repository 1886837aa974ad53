// alpha * A B + beta * C, one element at a time: ascending k, one accumulator, every step rounded. 16-bit floats
// compute in float32 and round once at the end.
import { type DType, isFloat, isWide, type Storage } from '../../dtype/dtype.ts'
import { fromStored, toStored } from '../../dtype/element.ts'
import { type Real, realArithmetic } from '../../dtype/real.ts'
import type { Placed } from '../../tensor/placed.ts'
import type { GemmJob } from '../gemm-job.ts'
import { offsetsOf } from '../offsets.ts'

/** The arithmetic of one family of types. */
interface Arithmetic<T> {
  readonly zero: T
  from(storage: Storage, position: number): T
  coefficient(value: number): T
  /** acc + a * b */
  step(acc: T, a: T, b: T): T
  mul(a: T, b: T): T
  add(a: T, b: T): T
  to(value: T): unknown
}

function floatArithmetic(dtype: DType): Arithmetic<number> {
  const round = dtype === 'float64' ? (x: number) => x : Math.fround
  return {
    zero: 0,
    from: (storage, position) => fromStored(dtype, storage, position) as number,
    coefficient: round,
    step: (acc, a, b) => round(acc + round(a * b)),
    mul: (a, b) => round(a * b),
    add: (a, b) => round(a + b),
    to: (value) => toStored(dtype, value),
  }
}

/** Integers modulo 2^32; typed arrays wrap what is stored. */
const wordArithmetic: Arithmetic<number> = {
  zero: 0,
  from: (storage, position) => storage[position] as number,
  coefficient: (value) => value,
  step: (acc, a, b) => (acc + Math.imul(a, b)) | 0,
  mul: (a, b) => Math.imul(a, b),
  add: (a, b) => (a + b) | 0,
  to: (value) => value,
}

const wideArithmetic: Arithmetic<bigint> = {
  zero: 0n,
  from: (storage, position) => storage[position] as bigint,
  coefficient: (value) => BigInt(value),
  step: (acc, a, b) => BigInt.asIntN(64, acc + a * b),
  mul: (a, b) => BigInt.asIntN(64, a * b),
  add: (a, b) => BigInt.asIntN(64, a + b),
  to: (value) => value,
}

const exactArithmetic = (): Arithmetic<Real> => {
  const real = realArithmetic()
  return {
    zero: real.from(0),
    from: (storage, position) => storage[position] as Real,
    coefficient: (value) => real.from(value),
    step: (acc, a, b) => real.add(acc, real.mul(a, b)),
    mul: (a, b) => real.mul(a, b),
    add: (a, b) => real.add(a, b),
    to: (value) => value,
  }
}

function arithmeticOf(dtype: DType): Arithmetic<unknown> {
  if (isFloat(dtype)) return floatArithmetic(dtype) as Arithmetic<unknown>
  if (dtype === 'real') return exactArithmetic() as Arithmetic<unknown>
  return (isWide(dtype) ? wideArithmetic : wordArithmetic) as Arithmetic<unknown>
}

/** Computes every element by itself. */
export function gemm(job: GemmJob): void {
  const { dtype, sizes, a, b, gathered, c, alpha: givenAlpha, beta: givenBeta, out } = job
  const { m, n, k } = sizes
  const arithmetic = arithmeticOf(dtype)
  const alpha = arithmetic.coefficient(givenAlpha)
  const beta = arithmetic.coefficient(givenBeta)
  const at = ({ storage, offset, strides }: Placed, i: number, j: number): unknown =>
    arithmetic.from(storage, offset + i * strides[0]! + j * strides[1]!)
  const along = offsetsOf(gathered?.along ?? { shape: [k], strides: [b.strides[0]!] })
  const across = offsetsOf(gathered?.across ?? { shape: [n], strides: [b.strides[1]!] })
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < n; j++) {
      let acc = arithmetic.zero
      for (let p = 0; p < k; p++) {
        acc = arithmetic.step(acc, at(a, i, p), arithmetic.from(b.storage, b.offset + along[p]! + across[j]!))
      }
      let result = arithmetic.mul(alpha, acc)
      if (c !== undefined) result = arithmetic.add(result, arithmetic.mul(beta, at(c, i, j)))
      ;(out.storage as unknown[])[out.offset + i * out.strides[0]! + j * out.strides[1]!] = arithmetic.to(result)
    }
  }
}
