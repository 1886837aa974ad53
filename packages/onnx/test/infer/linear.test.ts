// Products of matrices, transforms and texts.
import { describe, expect, it } from 'vitest'
import { inferred, int, ints, modelOf, node, texts } from '../../../../testing/models/infer.ts'
import { inferShapes } from '../../src/index.ts'

describe('MatMul', () => {
  it('multiplies matrices of broadcast batches', () => {
    expect(inferred('MatMul', { a: 'N, 3', b: '3, 4' })).toEqual(['float32(N, 4)'])
    expect(inferred('MatMul', { a: 'B, 1, N, 3', b: '5, 3, 4' })).toEqual(['float32(B, 5, N, 4)'])
    expect(inferred('MatMul', { a: '3', b: '3, 4' })).toEqual(['float32(4)'])
    expect(inferred('MatMul', { a: 'B, 2, 3', b: '3' })).toEqual(['float32(B, 2)'])
    expect(inferred('MatMul', { a: '3', b: '3' })).toEqual(['float32()'])
    expect(inferred('MatMul', { a: '2, 3', b: '*' })).toEqual(['float32(*)'])
    expect(inferred('MatMul', { a: '2, 3', b: '4, 5' })).toEqual(['fails: the inner sizes of the matrices differ.'])
    expect(inferred('MatMul', { a: '2, 2, 3', b: '3, 3, 5' })[0]).toMatch(/^fails: /)
    expect(inferred('MatMul', { a: '', b: '3' })[0]).toMatch(/^fails: .*scalar/)
  })

  it('learns that inner sizes are equal', () => {
    const model = modelOf({
      inputs: { a: 'N, K', b: '7, M' },
      nodes: [node('MatMul', 'a b', 'c'), node('Relu', 'a', 'd')],
    })
    expect(texts(inferShapes(model))).toEqual({ c: 'float32(N, M)', d: 'float32(N, 7)' })
  })
})

describe('Gemm', () => {
  it('multiplies, and adds what stretches onto the product', () => {
    expect(inferred('Gemm', { a: 'N, 3', b: '3, 4', c: '4' })).toEqual(['float32(N, 4)'])
    expect(inferred('Gemm', { a: '3, N', b: '4, 3' }, { transA: 1, transB: 1 })).toEqual(['float32(N, 4)'])
    expect(inferred('Gemm', { a: '*', b: '3, 4' })).toEqual(['float32(y.rows, 4)'])
    expect(inferred('Gemm', { a: '2, 3', b: '3, 4', c: '3, 2, 4' })[0]).toMatch(/^fails: /)
    expect(inferred('Gemm', { a: '2, 3', b: '3, 4', c: '4' }, {}, { opset: 6 })[0]).toMatch(/^fails: /)
    expect(inferred('Gemm', { a: '2, 3', b: '3, 4', c: '4' }, { broadcast: 1 }, { opset: 6 })).toEqual([
      'float32(2, 4)',
    ])
    expect(inferred('Gemm', { a: '2, 3, 4', b: '3, 4' })).toEqual(['fails: input 0 has rank 3; it must be 2.'])
  })
})

describe('Einsum', () => {
  const einsum = (equation: string, ...shapes: string[]) =>
    inferred('Einsum', Object.fromEntries(shapes.map((shape, i) => [`x${i}`, shape])), { equation })[0]

  it('has the sizes of its labels', () => {
    expect(einsum('bij, bjk -> bik', 'N, 2, 3', 'N, 3, 4')).toBe('float32(N, 2, 4)')
    expect(einsum('ij,jk', '2, 3', '3, 4')).toBe('float32(2, 4)')
    expect(einsum('ij->ji', 'N, 3')).toBe('float32(3, N)')
    expect(einsum('ii->i', 'N, N')).toBe('float32(N)')
    expect(einsum('...ii ->...i', 'A, B, N, N')).toBe('float32(A, B, N)')
    expect(einsum('...ij,...jk->...ik', 'A, 1, 2, 3', '5, 3, 4')).toBe('float32(A, 5, 2, 4)')
    expect(einsum('i,i', '3', '3')).toBe('float32()')
    expect(einsum('ij,jk->ik', '2, 3', '4, 5')).toBe('fails: label j has different sizes.')
    expect(einsum('ij->ik', '2, 3')).toBe("fails: the result's label k is in no operand.")
    expect(einsum('ij->i', '2, 3, 4')).toMatch(/^fails: input 0 has rank 3/)
  })
})

describe('others', () => {
  it('Det', () => {
    expect(inferred('Det', { x: 'N, 3, 3' })).toEqual(['float32(N)'])
    expect(inferred('Det', { x: 'N, 2, 3' })).toEqual(['fails: the matrices are not square.'])
  })

  it('transforms', () => {
    expect(inferred('DFT', { x: 'N, L, 1' }, { axis: 1 }, { opset: 17 })).toEqual(['float32(N, L, 2)'])
    expect(inferred('DFT', { x: 'N, L, 1' }, { axis: 1, onesided: 1 }, { opset: 17 })).toEqual([
      'float32(N, floor(L/2) + 1, 2)',
    ])
    expect(inferred('DFT', { x: 'N, 10, 1', n: int(8) })).toEqual(['float32(N, 8, 2)'])
    expect(inferred('STFT', { x: 'N, 128, 1', step: int(8), _: '', n: int(16) })).toEqual(['float32(N, 15, 9, 2)'])
    expect(
      inferred('MelWeightMatrix', { mels: int(8), n: int(16), rate: int(8192), low: 'float32:', high: 'float32:' }),
    ).toEqual(['float32(9, 8)'])
  })

  it('texts', () => {
    expect(inferred('StringConcat', { a: 'string: N, 1', b: 'string: 3' })).toEqual(['string(N, 3)'])
    expect(inferred('StringSplit', { a: 'string: N' }, {}, { outputs: 2 })).toEqual(['string(N, y.parts)', 'int64(N)'])
    expect(inferred('RegexFullMatch', { a: 'string: N' })).toEqual(['bool(N)'])
  })

  it('unknown operators have unknown results', () => {
    expect(inferred('NoSuchThing', { a: 'N' })).toEqual(['?'])
    expect(inferred('Gather', { a: 'N', _: ints() })[0]).toBe('fails: input 1 is missing.')
  })
})
