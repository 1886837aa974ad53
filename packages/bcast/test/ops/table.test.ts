// The published table of operators: its facts are those of the rows, and each entry calls its own public function.
import * as bcastModule from 'bcast'
import { numpy, operators, pdpd, tensor, unidirectional } from 'bcast'
import { describe, expect, it } from 'vitest'
import { allowedTypes, type Row } from '../../src/expr/row.ts'
import * as rows from '../../src/expr/rows/index.ts'

const library = { ...bcastModule } as unknown as Readonly<Record<string, unknown>>

describe('operators', () => {
  it('are the rows, by their public names, with the functions of those names', () => {
    expect(Object.keys(operators).sort()).toEqual(Object.keys(rows).sort())
    for (const [name, row] of Object.entries<Row>(rows)) {
      const facts = operators[name as keyof typeof operators]
      expect(facts).toMatchObject({ name, help: row.help, operands: row.operands, result: row.result })
      expect(facts.call).toBe(library[name])
      expect(facts.onnx?.name ?? facts.openvino).toBe(row.name)
      expect(facts.types.shared).toEqual(allowedTypes(row.types))
      expect(Object.keys(facts.attributes)).toEqual(Object.keys(row.attributes ?? {}))
    }
  })

  it('say how many operands they take', () => {
    const { add, not, where, max } = operators
    expect([add, not, where, max].map(({ least, most }) => [least, most])).toEqual([
      [2, 2],
      [1, 1],
      [3, 3],
      [1, Number.POSITIVE_INFINITY],
    ])
  })

  it('say under which rule operands meet, and which one a rule keeps', () => {
    expect(operators.add.rule).toBe(numpy)
    expect(operators.prelu.rule).toBe(unidirectional)
    expect(operators.where.keeps(pdpd())).toBe(1)
    expect(operators.where.keeps(unidirectional)).toBe(0)
  })

  it('say what ONNX allows at an opset', () => {
    const { add, where, pow, floorMod } = operators
    expect(add.onnxTypes(1)).toEqual({ shared: ['float16', 'float32', 'float64'], own: undefined })
    expect(add.onnxTypes(13)!.shared).not.toContain('int8')
    expect(add.onnxTypes(14)!.shared).toContain('int8')
    expect(where.onnxTypes(8)).toBeUndefined()
    expect(where.onnxTypes(16)!.own).toEqual({ operand: 0, types: ['bool'] })
    expect(pow.onnxTypes(12)!.own!.types).toContain('int8')
    expect(floorMod.onnxTypes(20)).toBeUndefined()
    expect([add.onnx, where.onnx, floorMod.onnx]).toEqual([
      { name: 'Add', since: 1 },
      { name: 'Where', since: 9 },
      undefined,
    ])
  })

  it('are called loosely, now and later', async () => {
    expect(operators.add.call(tensor([1, 2]), 1).toArray()).toEqual([2, 3])
    expect((await operators.add.call.async(tensor([1, 2]), 1)).toArray()).toEqual([2, 3])
  })
})
