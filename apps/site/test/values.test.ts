// Values of every type: what was typed, what the engine makes of it, and what is worth a look.
import { dtypes, numpy, operators } from 'bcast'
import { describe, expect, it } from 'vitest'
import { type Asked, type Computed, compute } from '../src/values/compute.ts'
import { elementText, parseElement } from '../src/values/elements.ts'
import { operandType, operatorFor, operatorsFor, typesFor } from '../src/values/operator-choice.ts'
import 'bcast/real'

const computed = (asked: Partial<Asked>): Computed =>
  compute({ shapes: [[2], [2]], rule: numpy, operator: operators.add, dtype: 'float32', typed: {}, ...asked })

const texts = ({ result }: Computed): string[] =>
  (result!.toArray() as unknown[]).map((element) => elementText(element, result!.dtype))

describe('values', () => {
  it('begin with numbers that are easy to follow', () => {
    expect(texts(computed({}))).toEqual(['11', '22'])
  })

  it('wrap around where the type ends', () => {
    const found = computed({ dtype: 'int8', typed: { '0:1': '120', '1:1': '100' } })
    expect(texts(found)).toEqual(['11', '-36'])
    expect([[0], [1]].map(found.markAt)).toEqual([undefined, 'wrapped'])
  })

  it('of 64 bits wrap, too', () => {
    const found = computed({ dtype: 'uint64', typed: { '0:0': '18446744073709551615', '1:0': '2' } })
    expect(texts(found)[0]).toBe('1')
    expect(found.markAt([0])).toBe('wrapped')
  })

  it('of float16 are rounded', () => {
    const found = computed({ dtype: 'float16', typed: { '0:0': '2048', '1:0': '1' } })
    expect(texts(found)[0]).toBe('2048')
    expect([[0], [1]].map(found.markAt)).toEqual(['rounded', undefined])
  })

  it('that are no numbers are marked', () => {
    const found = computed({ typed: { '0:0': 'inf', '1:0': '-inf' } })
    expect(texts(found)[0]).toBe('nan')
    expect(found.markAt([0])).toBe('nan')
  })

  it('that the type does not hold are told, and the others computed', () => {
    const found = computed({ dtype: 'int8', typed: { '0:0': '300', '1:1': 'x' } })
    expect(found.problems).toEqual([
      expect.stringContaining('A[0]: 300 cannot be an element of type int8'),
      expect.stringContaining('B[1]: "x" is no number'),
    ])
    expect(texts(found)).toEqual(['11', '22'])
  })

  it('that cannot be divided are told with their place', () => {
    const found = computed({ operator: operators.div, dtype: 'int32', typed: { '1:1': '0' } })
    expect(found.result).toBeUndefined()
    expect(found.problems.join()).toMatch(/division by zero|divided by zero|zero/i)
  })

  it('are exact where they are rational', () => {
    const found = computed({ dtype: 'real', operator: operators.div, typed: { '0:0': '1/3', '1:0': '7' } })
    expect(texts(found)[0]).toBe('1/21')
  })

  it('can be had of every operator in every type that it takes', () => {
    for (const count of [1, 2, 3]) {
      for (const operator of operatorsFor(count)) {
        for (const dtype of typesFor(operator)) {
          const { result, problems } = computed({ shapes: Array(count).fill([2]), operator, dtype })
          expect([operator.name, dtype, problems, result?.shape]).toEqual([operator.name, dtype, [], [2]])
        }
      }
    }
  })
})

describe('an operator', () => {
  it('takes as many operands as there are shapes', () => {
    expect(operatorsFor(6).map(({ name }) => name)).toEqual(['max', 'mean', 'min', 'sum'])
    expect(operatorFor('where', 2).name).toBe('add')
    expect(operatorFor('add', 3).name).toBe('sum')
    expect(operatorFor('add', 1).name).toBe('identity')
  })

  it('may have an operand with a type of its own', () => {
    expect([0, 1, 2].map((operand) => operandType(operators.where, 'int8', operand))).toEqual(['bool', 'int8', 'int8'])
  })
})

describe('elements', () => {
  it.each(dtypes.filter((dtype) => dtype !== 'real'))('of %s come back from their text', (dtype) => {
    const text = dtype === 'bool' ? 'true' : '7'
    expect(elementText(parseElement(text, dtype), dtype).toLowerCase()).toBe(text)
  })
})
