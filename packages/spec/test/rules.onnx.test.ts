// The ONNX document clause by clause: its conditions, all of its examples, and every operator that it lists.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  broadcast,
  type DType,
  elementwise,
  fromFlat,
  fromNested,
  gemm,
  numpy,
  type Shape,
  scalar,
  toFlat,
  unidirectional,
  type Value,
} from '../src/index.ts'

const shapeOf = (result: ReturnType<typeof numpy>): number[] | string => (result.ok ? result.shape : result.clause)
const smallShape = fc.array(fc.constantFrom(0, 1, 2, 3), { maxLength: 4 })

describe('multidirectional', () => {
  it('[onnx.multi.1] equal shapes keep their shape, also with zeros', () => {
    expect(
      shapeOf(
        numpy([
          [2, 0, 3],
          [2, 0, 3],
          [2, 0, 3],
        ]),
      ),
    ).toEqual([2, 0, 3])
    expect(shapeOf(numpy([[7]]))).toEqual([7])
    expect(shapeOf(numpy([]))).toEqual([])
  })

  it('[onnx.multi.2] along each dimension a common length or 1', () => {
    expect(
      shapeOf(
        numpy([
          [2, 1],
          [1, 3],
        ]),
      ),
    ).toEqual([2, 3])
    expect(
      shapeOf(
        numpy([
          [2, 1],
          [2, 3],
          [1, 3],
        ]),
      ),
    ).toEqual([2, 3])
    expect(shapeOf(numpy([[2], [3]]))).toBe('onnx.multi.2')
    expect(shapeOf(numpy([[2], [1], [3]]))).toBe('onnx.multi.2')
  })

  it('[onnx.multi.2] a length of 0 is a common length: 0 meets 1, and nothing else', () => {
    expect(shapeOf(numpy([[0], [1]]))).toEqual([0])
    expect(
      shapeOf(
        numpy([
          [1, 4],
          [0, 1],
        ]),
      ),
    ).toEqual([0, 4])
    expect(shapeOf(numpy([[0], [2]]))).toBe('onnx.multi.2')
  })

  it('[onnx.multi.3] missing dimensions are prepended as ones', () => {
    expect(shapeOf(numpy([[3], [2, 1], [4, 1, 1]]))).toEqual([4, 2, 3])
    expect(shapeOf(numpy([[2], [2, 3]]))).toBe('onnx.multi.2')
  })

  const examples: [string, Shape, Shape][] = [
    ['[onnx.multi.example.1] a scalar', [2, 3, 4, 5], []],
    ['[onnx.multi.example.2] a vector', [2, 3, 4, 5], [5]],
    ['[onnx.multi.example.3] a matrix comes first', [4, 5], [2, 3, 4, 5]],
    ['[onnx.multi.example.4] both stretch', [1, 4, 5], [2, 3, 1, 1]],
    ['[onnx.multi.example.5] both stretch, one by rank', [3, 4, 5], [2, 1, 1, 1]],
  ]
  for (const [title, ...shapes] of examples) {
    it(`${title}: ${JSON.stringify(shapes)} gives (2,3,4,5)`, () => {
      expect(shapeOf(numpy(shapes))).toEqual([2, 3, 4, 5])
    })
  }

  it('[onnx.numpy] elements repeat as NumPy repeats them', () => {
    const column = fromNested<number>([[1], [2]])
    const row = fromNested<number>([10, 20, 30])
    const [a, b] = broadcast(numpy([column.shape, row.shape]), [column, row])
    expect(toFlat(a!)).toEqual([1, 1, 1, 2, 2, 2])
    expect(toFlat(b!)).toEqual([10, 20, 30, 10, 20, 30])
  })

  it('[onnx.multi.2] [onnx.multi.3] the answer does not depend on order or grouping', () => {
    fc.assert(
      fc.property(fc.array(smallShape, { minLength: 1, maxLength: 4 }), (shapes) => {
        const all = numpy(shapes)
        expect(numpy([...shapes].reverse()).ok).toBe(all.ok)
        const [first, ...rest] = shapes
        const grouped = rest.reduce<number[] | undefined>(
          (shape, next) => {
            const met = shape && numpy([shape, next])
            return met?.ok ? met.shape : undefined
          },
          [...first!],
        )
        expect(all.ok ? all.shape : undefined).toEqual(grouped)
      }),
      { numRuns: 300 },
    )
  })
})

describe('unidirectional', () => {
  it('[onnx.uni.1] equal shapes', () => {
    expect(
      shapeOf(
        unidirectional([
          [2, 0],
          [2, 0],
        ]),
      ),
    ).toEqual([2, 0])
  })

  it('[onnx.uni.2] only a length of B may be 1', () => {
    expect(
      shapeOf(
        unidirectional([
          [2, 3],
          [2, 1],
        ]),
      ),
    ).toEqual([2, 3])
    expect(
      shapeOf(
        unidirectional([
          [2, 1],
          [2, 3],
        ]),
      ),
    ).toBe('onnx.uni.2')
    expect(shapeOf(unidirectional([[0], [1]]))).toEqual([0])
    expect(shapeOf(unidirectional([[1], [0]]))).toBe('onnx.uni.2')
  })

  it('[onnx.uni.3] only B may have too few dimensions', () => {
    expect(shapeOf(unidirectional([[2, 3], [3]]))).toEqual([2, 3])
    expect(shapeOf(unidirectional([[3], [1, 3]]))).toBe('onnx.uni.3')
  })

  it('[onnx.uni.shape] the output has the shape of A, whatever stretches onto it', () => {
    fc.assert(
      fc.property(smallShape, fc.array(smallShape, { maxLength: 3 }), (a, others) => {
        const result = unidirectional([a, ...others])
        if (result.ok) expect(result.shape).toEqual(a)
        const met = numpy([a, ...others])
        expect(result.ok).toBe(met.ok && JSON.stringify(met.shape) === JSON.stringify(a))
      }),
      { numRuns: 500 },
    )
  })

  const examples: [string, Shape][] = [
    ['[onnx.uni.example.1] a scalar', []],
    ['[onnx.uni.example.2] a vector', [5]],
    ['[onnx.uni.example.3] ones inside', [2, 1, 1, 5]],
    ['[onnx.uni.example.4] ones at every other axis', [1, 3, 1, 5]],
  ]
  for (const [title, b] of examples) {
    it(`${title}: ${JSON.stringify(b)} stretches onto (2,3,4,5)`, () => {
      expect(shapeOf(unidirectional([[2, 3, 4, 5], b]))).toEqual([2, 3, 4, 5])
    })
  }
})

describe('operators with multidirectional broadcasting', () => {
  // A column and a row, so that every operator is seen to stretch both operands.
  const outer = (operator: string, dtype: DType, column: Value[], row: Value[], third?: Value[]): Value[] => {
    const tensors = [fromFlat([column.length, 1], column), fromFlat([row.length], row)]
    if (third) tensors.push(fromFlat([third.length, 1, 1], third))
    const stretched = broadcast(numpy(tensors.map(({ shape }) => shape)), tensors)
    return toFlat(elementwise(scalar(operator, dtype), stretched))
  }
  const table: [string, string, DType, Value[], Value[], Value[]][] = [
    ['[onnx.multi.op.add]', 'Add', 'float32', [1, 2], [10, 20], [11, 21, 12, 22]],
    ['[onnx.multi.op.and]', 'And', 'bool', [false, true], [false, true], [false, false, false, true]],
    ['[onnx.multi.op.div]', 'Div', 'float32', [1, 6], [2, 3], [0.5, Math.fround(1 / 3), 3, 2]],
    ['[onnx.multi.op.equal]', 'Equal', 'int32', [1, 2], [1, 2], [true, false, false, true]],
    ['[onnx.multi.op.greater]', 'Greater', 'float32', [1, 2], [1, 0], [false, true, true, true]],
    ['[onnx.multi.op.less]', 'Less', 'float32', [1, 2], [1, 3], [false, true, false, true]],
    ['[onnx.multi.op.max]', 'Max', 'float32', [1, 5], [2, 3], [2, 3, 5, 5]],
    ['[onnx.multi.op.mean]', 'Mean', 'float32', [1, 5], [2, 3], [1.5, 2, 3.5, 4]],
    ['[onnx.multi.op.min]', 'Min', 'float32', [1, 5], [2, 3], [1, 1, 2, 3]],
    ['[onnx.multi.op.mul]', 'Mul', 'int8', [2, 100], [3, 2], [6, 4, 44, -56]],
    ['[onnx.multi.op.or]', 'Or', 'bool', [false, true], [false, true], [false, true, true, true]],
    ['[onnx.multi.op.pow]', 'Pow', 'float32', [2, 3], [2, 0], [4, 1, 9, 1]],
    ['[onnx.multi.op.sub]', 'Sub', 'uint8', [1, 5], [2, 3], [255, 254, 3, 2]],
    ['[onnx.multi.op.sum]', 'Sum', 'float32', [1, 5], [2, 3], [3, 4, 7, 8]],
    ['[onnx.multi.op.xor]', 'Xor', 'bool', [false, true], [false, true], [false, true, true, false]],
  ]
  for (const [clause, operator, dtype, column, row, expected] of table) {
    it(`${clause} ${operator} of a column and a row`, () => {
      expect(outer(operator, dtype, column, row)).toEqual(expected)
    })
  }

  it('[onnx.multi.op.where] Where stretches all three operands', () => {
    expect(outer('Where', 'string', [true, false], ['x', 'y'], ['p', 'q'])).toEqual([
      'x',
      'y',
      'p',
      'p',
      'x',
      'y',
      'q',
      'q',
    ])
  })
})

describe('operators with unidirectional broadcasting', () => {
  it('[onnx.uni.op.gemm] C stretches onto the product and never enlarges it', () => {
    const a = fromNested<Value>([
      [1, 2],
      [3, 4],
    ])
    const b = fromNested<Value>([
      [1, 0],
      [0, 1],
    ])
    expect(toFlat(gemm('float32', a, b, fromNested<Value>([10, 20])))).toEqual([11, 22, 13, 24])
    expect(toFlat(gemm('float32', a, b, fromNested<Value>([[10], [20]])))).toEqual([11, 12, 23, 24])
    expect(toFlat(gemm('float32', a, b, fromNested<Value>(5)))).toEqual([6, 7, 8, 9])
    expect(() => gemm('float32', a, b, fromFlat<Value>([1, 2, 2], [0, 0, 0, 0]))).toThrow('onnx.uni.3')
  })

  it('[onnx.uni.op.prelu] the slope stretches onto X and never enlarges it', () => {
    const x = fromNested<Value>([
      [-1, 2],
      [-3, -4],
    ])
    const slope = fromNested<Value>([10, 100])
    const stretched = broadcast(unidirectional([x.shape, slope.shape]), [x, slope])
    expect(toFlat(elementwise(scalar('PRelu', 'float32'), stretched))).toEqual([-10, 2, -30, -400])
    expect(
      unidirectional([
        [1, 2],
        [3, 2],
      ]).ok,
    ).toBe(false)
  })
})
