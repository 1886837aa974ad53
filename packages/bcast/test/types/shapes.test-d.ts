// Shapes and element types that the compiler works out.
import {
  add,
  bitShift,
  broadcast,
  broadcastShapes,
  broadcastTo,
  cast,
  castLike,
  clip,
  div,
  equal,
  explicit,
  expand,
  fuse,
  gemm,
  matmul,
  max,
  mod,
  neg,
  pdpd,
  pow,
  prelu,
  sub,
  sum,
  type Shape,
  type Tensor,
  tensor,
  unidirectional,
  where,
  zeros,
} from 'bcast'
import { describe, expectTypeOf, it } from 'vitest'

const x = tensor([
  [1, 2, 3],
  [4, 5, 6],
])
declare const batch: Tensor<'float32', [number, 3]>
declare const anyRank: Tensor<'float32'>
declare const values: number[][]
declare const bytes: Tensor<'uint8', [2]>

describe('tensor', () => {
  it('reads literal shapes and types', () => {
    expectTypeOf(x).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(tensor(1)).toEqualTypeOf<Tensor<'float32', []>>()
    expectTypeOf(tensor([true])).toEqualTypeOf<Tensor<'bool', [1]>>()
    expectTypeOf(tensor([1n, 2n])).toEqualTypeOf<Tensor<'int64', [2]>>()
    expectTypeOf(tensor(['a'])).toEqualTypeOf<Tensor<'string', [1]>>()
    expectTypeOf(tensor([])).toEqualTypeOf<Tensor<'float32', [0]>>()
    expectTypeOf(tensor(values)).toEqualTypeOf<Tensor<'float32', [number, number]>>()
    expectTypeOf(tensor(new Float64Array(6), { shape: [2, 3] })).toEqualTypeOf<Tensor<'float64', [2, 3]>>()
    expectTypeOf(tensor(new Uint8Array(6))).toEqualTypeOf<Tensor<'uint8', [number]>>()
    expectTypeOf(tensor([new Int8Array(2), new Int8Array(2)])).toEqualTypeOf<Tensor<'int8', [2, number]>>()
    expectTypeOf(tensor(tensor([1n, 2n]))).toEqualTypeOf<Tensor<'int64', [2]>>()
    expectTypeOf(tensor([tensor([true]), tensor([false])])).toEqualTypeOf<Tensor<'bool', [2, 1]>>()
    expectTypeOf(tensor([1, 2], { dtype: 'float16' })).toEqualTypeOf<Tensor<'float16', [2]>>()
    expectTypeOf(tensor([1, 2], { dtype: 'double' })).toEqualTypeOf<Tensor<'float64', [2]>>()
  })
})

describe('operators', () => {
  it('compute the common shape', () => {
    expectTypeOf(add(x, tensor([10, 20, 30]))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(add(x, 1)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(sub(1, x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(add(tensor([[1], [2]]), tensor([1, 2, 3]))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(equal(x, x)).toEqualTypeOf<Tensor<'bool', [2, 3]>>()
    expectTypeOf(where(tensor([[true], [false]]), x, 0)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(max(x, tensor([1, 2, 3]), tensor(0))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(sum([x, x])).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(pow(x, tensor([2], { dtype: 'int32' }))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(prelu(x, tensor([1, 2, 3]))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(clip(x, 0, tensor([1, 2, 3]))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(clip(x, undefined, 6)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(cast(x, 'int8')).toEqualTypeOf<Tensor<'int8', [2, 3]>>()
    expectTypeOf(expand(x, [4, 1, 3])).toEqualTypeOf<Tensor<'float32', [4, 2, 3]>>()
  })

  it('take a rule', () => {
    const y = tensor(new Float32Array(120), { shape: [2, 3, 4, 5] })
    const b = tensor(new Float32Array(12), { shape: [3, 4] })
    expectTypeOf(add(y, b, { broadcast: pdpd({ axis: 1 }) })).toEqualTypeOf<Tensor<'float32', [2, 3, 4, 5]>>()
    expectTypeOf(add(y, tensor([1, 2, 3, 4]), { broadcast: explicit({ axesMapping: [2] }) })).toEqualTypeOf<Tensor<'float32', [2, 3, 4, 5]>>()
    expectTypeOf(add(x, tensor([1, 2, 3]), { broadcast: unidirectional })).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(add(x, x, { broadcast: 'none' })).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
  })

  it('let through what the compiler cannot know', () => {
    expectTypeOf(add(batch, x)).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(add(batch, tensor([1, 2, 3]))).toEqualTypeOf<Tensor<'float32', [number, 3]>>()
    expectTypeOf(add(anyRank, x).shape).toExtend<Shape>()
    expectTypeOf(add(batch, batch)).toEqualTypeOf<Tensor<'float32', [number, 3]>>()
  })
})

describe('asynchronous forms', () => {
  it('promise what the calls give', () => {
    expectTypeOf(add.async(x, tensor([10, 20, 30]))).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(sub.async(1, x)).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(neg.async(x)).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(equal.async(x, x)).toEqualTypeOf<Promise<Tensor<'bool', [2, 3]>>>()
    expectTypeOf(div.async(x, x, { pythondiv: true })).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(mod.async(x, 2, { fmod: true })).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(pow.async(x, tensor([2], { dtype: 'int32' }))).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(where.async(tensor([[true], [false]]), x, 0)).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(max.async(x, tensor([1, 2, 3]), tensor(0))).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(sum.async([x, x])).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(prelu.async(x, tensor([1, 2, 3]))).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(bitShift.async(bytes, bytes, { direction: 'LEFT' })).toEqualTypeOf<Promise<Tensor<'uint8', [2]>>>()
    expectTypeOf(cast.async(x, 'int8')).toEqualTypeOf<Promise<Tensor<'int8', [2, 3]>>>()
    expectTypeOf(castLike.async(x, bytes)).toEqualTypeOf<Promise<Tensor<'uint8', [2, 3]>>>()
    expectTypeOf(expand.async(x, [4, 1, 3])).toEqualTypeOf<Promise<Tensor<'float32', [4, 2, 3]>>>()
    expectTypeOf(gemm.async(x, x, undefined, { transB: true })).toEqualTypeOf<Promise<Tensor<'float32', [2, 2]>>>()
    const y = tensor(new Float32Array(120), { shape: [2, 3, 4, 5] })
    const b = tensor(new Float32Array(12), { shape: [3, 4] })
    const placed = add.async(y, b, { broadcast: pdpd({ axis: 1 }) })
    expectTypeOf(placed).toEqualTypeOf<Promise<Tensor<'float32', [2, 3, 4, 5]>>>()
    expectTypeOf(add.async(batch, tensor([1, 2, 3]))).toEqualTypeOf<Promise<Tensor<'float32', [number, 3]>>>()
    const standardize = fuse((x, mean, std) => x.sub(mean).div(std))
    const fused = standardize.async(x, tensor([1, 2, 3]), tensor(2))
    expectTypeOf(fused).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
    expectTypeOf(standardize.async(x, x, x, { out: x })).toEqualTypeOf<Promise<Tensor<'float32', [2, 3]>>>()
  })

  it('are not there inside fuse', () => {
    // @ts-expect-error an operand of fuse has no elements to wait for
    fuse((a) => (add.async(a, 1), a.neg()))
  })

  it('take the options of their calls', () => {
    expectTypeOf(div(x, x, { pythondiv: true })).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    // @ts-expect-error Mod has no such option
    mod.async(x, x, { fmod: 'yes' })
    // @ts-expect-error BitShift needs a direction
    bitShift.async(bytes, bytes)
  })
})

describe('products', () => {
  it('have the rows of A and the columns of B', () => {
    const y = tensor([[1], [2], [3]])
    expectTypeOf(gemm(x, y)).toEqualTypeOf<Tensor<'float32', [2, 1]>>()
    expectTypeOf(gemm(x, y, tensor([1]))).toEqualTypeOf<Tensor<'float32', [2, 1]>>()
    expectTypeOf(gemm(x, x, undefined, { transA: true })).toEqualTypeOf<Tensor<'float32', [3, 3]>>()
    expectTypeOf(gemm(batch, y)).toEqualTypeOf<Tensor<'float32', [number, 1]>>()
    expectTypeOf(gemm(anyRank, x)).toEqualTypeOf<Tensor<'float32', [number, 3]>>()
    const [batches, right] = [zeros([8, 1, 2, 3]), zeros([5, 3, 4])]
    expectTypeOf(matmul(x, y)).toEqualTypeOf<Tensor<'float32', [2, 1]>>()
    expectTypeOf(matmul(x, tensor([1, 2, 3]))).toEqualTypeOf<Tensor<'float32', [2]>>()
    expectTypeOf(matmul(tensor([1, 2]), x)).toEqualTypeOf<Tensor<'float32', [3]>>()
    expectTypeOf(matmul(tensor([1, 2]), tensor([3, 4]))).toEqualTypeOf<Tensor<'float32', []>>()
    expectTypeOf(matmul(batches, right)).toEqualTypeOf<Tensor<'float32', [8, 5, 2, 4]>>()
    expectTypeOf(matmul(batches, tensor([1, 2, 3]))).toEqualTypeOf<Tensor<'float32', [8, 1, 2]>>()
    expectTypeOf(matmul.async(tensor([1, 2, 3]), right)).toEqualTypeOf<Promise<Tensor<'float32', [5, 4]>>>()
    expectTypeOf(matmul(batch, y)).toEqualTypeOf<Tensor<'float32', [number, 1]>>()
    expectTypeOf(matmul(anyRank, x)).toEqualTypeOf<Tensor<'float32', readonly number[]>>()
    const stacked = <S extends Shape>(y: Tensor<'float32', S>) => matmul(y, x)
    expectTypeOf(stacked(anyRank)).toExtend<Tensor<'float32'>>()
    expectTypeOf(stacked(x)).toExtend<Tensor<'float32'>>()
    const byRow = <N extends number>(y: Tensor<'float32', [N, 2]>) => matmul(y, x)
    expectTypeOf(byRow(tensor([[1, 2]]))).toEqualTypeOf<Tensor<'float32', [1, 3]>>()
    const inBatch = <N extends number>(y: Tensor<'float32', [N, 4, 2]>) => matmul(y, x)
    expectTypeOf(inBatch(zeros([7, 4, 2]))).toEqualTypeOf<Tensor<'float32', [7, 4, 3]>>()
    // @ts-expect-error what is known does not fit
    const wrong = <N extends number>(y: Tensor<'float32', [N, 4]>) => matmul(y, x)
    expectTypeOf(wrong).toBeFunction()
    expectTypeOf(matmul(zeros([1, 2, 3, 4, 5]), zeros([6, 1, 1, 5, 7]))).toEqualTypeOf<
      Tensor<'float32', [6, 2, 3, 4, 7]>
    >()
    const squared = <S extends Shape>(y: Tensor<'float32', S>) => gemm(y, y)
    expectTypeOf(squared(anyRank)).toExtend<Tensor<'float32'>>()
  })
})

describe('broadcasting', () => {
  it('gives views and shapes', () => {
    const [a, b] = broadcast(x, tensor([1n, 2n, 3n]))
    expectTypeOf(a).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(b).toEqualTypeOf<Tensor<'int64', [2, 3]>>()
    expectTypeOf(broadcastTo(tensor([1, 2, 3]), [4, 3])).toEqualTypeOf<Tensor<'float32', [4, 3]>>()
    expectTypeOf(tensor([1, 2, 3]).broadcastTo([4, 3])).toEqualTypeOf<Tensor<'float32', [4, 3]>>()
    expectTypeOf(broadcastShapes([2, 1, 4], [3, 1])).toEqualTypeOf<[2, 3, 4]>()
    expectTypeOf(broadcastShapes()).toEqualTypeOf<[]>()
    expectTypeOf(broadcastShapes([2, 3, 4, 5], [3, 4], { broadcast: pdpd({ axis: 1 }) })).toEqualTypeOf<[2, 3, 4, 5]>()
  })
})

describe('views', () => {
  it('carry shapes on', () => {
    expectTypeOf(x.reshape(3, 2)).toEqualTypeOf<Tensor<'float32', [3, 2]>>()
    expectTypeOf(x.reshape([6])).toEqualTypeOf<Tensor<'float32', [6]>>()
    expectTypeOf(x.reshape(-1, 2)).toEqualTypeOf<Tensor<'float32', [3, 2]>>()
    expectTypeOf(batch.reshape(-1)).toEqualTypeOf<Tensor<'float32', [number]>>()
    const flat = <S extends Shape>(y: Tensor<'float32', S>) => y.reshape(-1).get(0)
    expectTypeOf(flat(x)).toEqualTypeOf<number>()
    const first = <S extends Shape>(y: Tensor<'float32', S>, i: number) => y.slice(i, [0, 2]).get(i)
    expectTypeOf(first(x, 0)).toEqualTypeOf<number>()
    expectTypeOf(x.transpose()).toEqualTypeOf<Tensor<'float32', [3, 2]>>()
    expectTypeOf(x.transpose(1, 0)).toEqualTypeOf<Tensor<'float32', [3, 2]>>()
    expectTypeOf(x.slice(0)).toEqualTypeOf<Tensor<'float32', [3]>>()
    expectTypeOf(x.slice(null, [0, 2])).toEqualTypeOf<Tensor<'float32', [2, number]>>()
    expectTypeOf(x.get(0, 0)).toEqualTypeOf<number>()
    expectTypeOf(tensor([1n]).data).toEqualTypeOf<BigInt64Array>()
  })
})

describe('assignment', () => {
  it('a tensor of a literal shape is a tensor of an unknown one', () => {
    expectTypeOf(x).toExtend<Tensor<'float32', [number, number]>>()
    expectTypeOf(x).toExtend<Tensor<'float32'>>()
    expectTypeOf(x).toExtend<Tensor>()
  })
})

describe('fuse', () => {
  it('evaluates the expression for the tensors of each call', () => {
    const standardize = fuse((x, mean, std) => x.sub(mean).div(std))
    expectTypeOf(standardize(x, tensor([1, 2, 3]), tensor(2))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(standardize(batch, tensor([1, 2, 3]), tensor(2))).toEqualTypeOf<Tensor<'float32', [number, 3]>>()
    const clamp = fuse((x, low) => where(x.less(low), low, x))
    expectTypeOf(clamp(tensor([[1], [2]]), tensor([1, 2, 3]))).toEqualTypeOf<Tensor<'float32', [2, 3]>>()
    expectTypeOf(fuse((x, y) => x.equal(y))(x, x)).toEqualTypeOf<Tensor<'bool', [2, 3]>>()
    expectTypeOf(fuse((x) => x.mul(2).cast('int8'))(x)).toEqualTypeOf<Tensor<'int8', [2, 3]>>()
  })
})
