// The text of an explanation, word for word, and what a program reads from it.
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ShapeError } from '../../src/errors/index.ts'
import type { SymbolicShape } from '../../src/shape/dim.ts'
import { explain } from '../../src/shape/explain.ts'
import type { Fix } from '../../src/shape/fix.ts'
import { explicit, pdpd, unidirectional } from '../../src/shape/rules/index.ts'

describe('the text', () => {
  it('of a broadcast that holds', () => {
    expect(explain([[2, 1, 4], [3, 1], []]).toString()).toMatchInlineSnapshot(`
      "(2,1,4) with (3,1) with () under numpy gives (2,3,4)

        axis    -3  -2  -1
        A        2   1*  4
        B            3   1*
        C
        result   2   3   4
        (* stretched)"
    `)
  })

  it('of a broadcast that fails', () => {
    expect(
      explain([
        [2, 3, 4],
        [2, 4],
      ]).toString(),
    ).toMatchInlineSnapshot(`
      "cannot broadcast axis -2: 3 vs 2 (shapes [2,3,4] and [2,4])

        axis    -3  -2  -1
        A        2   3!  4
        B            2!  4
        (! conflict)

      rule numpy: sizes on an axis must be equal or 1 [ONNX Broadcasting, multidirectional, condition 2]
      fix: reshape B from (2,4) to (2,1,4) → (2,3,4)   b.reshape(2, 1, 4)"
    `)
  })

  it.each([2, 'N'])('of an axis beyond the result, whatever else fails: (%s,3,4) from axis 1 on', (size) => {
    const shapes = [
      [2, 3, 4],
      [size, 3, 4],
    ]
    const [sentence] = explain(shapes, { broadcast: pdpd({ axis: 1 }) })
      .toString()
      .split('\n')
    expect(sentence).toBe(
      `axis -1 of B lies outside the result and must be 1, not 4 (shapes [2,3,4] and [${size},3,4])`,
    )
  })

  it('of ranks that fail: shapes stand in the order of the operands, whichever is kept', () => {
    const [sentence] = explain([[2, 3], [3]], { broadcast: unidirectional, onto: 1 })
      .toString()
      .split('\n')
    expect(sentence).toBe("A has rank 2, more than B's 1, and B keeps its shape (shapes [2,3] and [3])")
  })

  it('of a broadcast that holds under conditions', () => {
    expect(
      explain([
        ['N', 'N'],
        [3, 4],
      ]).toString(),
    ).toMatchInlineSnapshot(`
      "(N,N) with (3,4) under numpy gives (3,4); it holds if N = 1

        axis    -2  -1
        A        N   N
        B        3   4
        result   3   4"
    `)
    expect(explain([['N'], [4]]).toString()).toMatchInlineSnapshot(`
      "(N) with (4) under numpy gives (4); it holds if N = 1 or N = 4

        axis    -1
        A        N
        B        4
        result   4"
    `)
  })

  it('of ranks that do not fit', () => {
    expect(explain([[3], [2, 3]], { broadcast: 'unidirectional' }).toString()).toMatchInlineSnapshot(`
      "B has rank 2, more than A's 1, and A keeps its shape (shapes [3] and [2,3])

        A       (3)
        B       (2,3)

      rule unidirectional: a size must be 1 or the size it goes onto [ONNX Broadcasting, unidirectional, condition 2]
      fix: use rule numpy → (2,3)   { broadcast: numpy }"
    `)
  })

  it('of an axis that lies outside', () => {
    expect(
      explain(
        [
          [2, 3],
          [3, 2],
        ],
        { broadcast: pdpd({ axis: 1 }) },
      ).toString(),
    ).toMatchInlineSnapshot(`
      "axis -1 of B lies outside the result and must be 1, not 2 (shapes [2,3] and [3,2])

        axis    -2  -1
        A        2   3
        B            3

      rule pdpd(axis=1): a size of B must be 1 or A's, from axis on; A keeps its shape [OpenVINO PDPD broadcast, rules 2 to 5]
      fix: transpose B from (3,2) to (2,3) and use rule numpy → (2,3)   b.transpose(1, 0), { broadcast: numpy }
      fix: transpose A from (2,3) to (3,2) and use rule numpy → (3,2)   a.transpose(1, 0), { broadcast: numpy }"
    `)
  })

  it('of a rule read literally', () => {
    expect(explain([[2, 0], [1]], { broadcast: 'sonnx' }).toString()).toMatchInlineSnapshot(`
      "cannot broadcast axis -1: 0 vs 1 (shapes [2,0] and [1])

        axis    -2  -1
        A        2   0!
        B            1!
        (! conflict)

      rule sonnx: every size on an axis must be 1 or the largest there [SONNX Broadcast, constraint C1]
      fix: use rule numpy → (2,0)   { broadcast: numpy }"
    `)
  })

  it('of an outer product that was hardly meant', () => {
    expect(explain([['N'], ['N', 1]]).toString()).toMatchInlineSnapshot(`
      "(N) with (N,1) under numpy gives (N,N)

        axis    -2  -1
        A            N
        B        N   1*
        result   N   N
        (* stretched)

      note: both operands stretch, so every element of one meets every element of the other
      or: reshape B from (N,1) to (N) → (N)   b.reshape(b.shape[0])"
    `)
  })

  it('of a rank that is not known', () => {
    expect(explain([null, [3]]).toString()).toMatchInlineSnapshot(`
      "(?…) with (3) under numpy gives (?…); it holds if the shape of A, whose rank is unknown, obeys numpy

        A       (?…)
        B       (3)
        result  (?…)"
    `)
  })

  it('of a mapping that is not known', () => {
    expect(explain([[2, 3], [3]], { broadcast: explicit({ axesMapping: null }) }).toString()).toMatchInlineSnapshot(`
      "(2,3) with (3) under explicit(axesMapping=[?]) gives (2,3); it holds if axesMapping, which is not known, allows it

        axis    -2  -1
        A        2   3
        B
        result   2   3"
    `)
  })

  it('of nothing, and of many operands', () => {
    expect(explain([]).toString()).toMatchInlineSnapshot(`
      "nothing under numpy gives ()

        result  ()"
    `)
    expect(explain(new Array(30).fill([2])).toString()).toMatchInlineSnapshot(`
      "30 shapes under numpy give (2)

        axis    -1
        A        2
        B        2
        C        2
        D        2
        E        2
        F        2
        G        2
        H        2
        I        2
        J        2
        K        2
        L        2
        … and 18 more
        result   2"
    `)
  })

  it('does not grow with the conditions', () => {
    const outcome = explain(new Array(40).fill([null, null]))
    expect(outcome.conditions).toHaveLength(2 * ((40 * 39) / 2))
    expect(outcome.toString().length).toBeLessThan(2000)
    expect(outcome.toString()).toContain(' and 1548 more conditions hold')
  })
})

describe('the value', () => {
  it('has a role for every operand on every axis', () => {
    const roles = (shapes: readonly SymbolicShape[]) =>
      explain(shapes).axes.map(({ axis, operands }) => [axis, ...operands.map(({ role }) => role)])
    expect(
      roles([
        [2, 1, 4],
        [3, 1],
      ]),
    ).toEqual([
      [-3, 'same', 'padded'],
      [-2, 'stretched', 'same'],
      [-1, 'same', 'stretched'],
    ])
    expect(
      roles([
        [2, 3],
        [2, 4],
      ]),
    ).toEqual([
      [-2, 'same', 'same'],
      [-1, 'conflict', 'conflict'],
    ])
    expect(
      roles([
        ['N', null, 'M'],
        [3, 3, 'M'],
      ]),
    ).toEqual([
      [-3, 'unknown', 'same'],
      [-2, 'unknown', 'same'],
      [-1, 'same', 'same'],
    ])
    expect(roles([[1], [1]])).toEqual([[-1, 'same', 'same']])
    expect(roles([[2, 1], [3]])).toEqual([
      [-2, 'same', 'padded'],
      [-1, 'stretched', 'same'],
    ])
    expect(
      roles([
        [2, 1],
        [3, 4],
      ]),
    ).toEqual([
      [-2, 'conflict', 'conflict'],
      [-1, 'same', 'same'],
    ])
  })

  it('says where a rule puts an operand', () => {
    const { axes } = explain([[2, 3, 4], [3]], { broadcast: pdpd({ axis: 1 }) })
    expect(axes.map(({ operands }) => operands[1]!.size)).toEqual([undefined, 3, undefined])
  })

  it('has the failure with operands, axis, rule and clause', () => {
    const outcome = explain([[2], [1], [3]], { broadcast: 'unidirectional' })
    expect(outcome).toMatchObject({
      verdict: 'error',
      rule: 'unidirectional',
      clause: 'ONNX Broadcasting, unidirectional, condition 2',
      requirement: 'a size must be 1 or the size it goes onto',
      failure: { sentence: 'cannot broadcast axis -1: 2 vs 3 (shapes [2] and [3])', operands: [0, 2], axis: -1 },
      shape: undefined,
      conditions: [],
    })
  })

  it('goes onto the operand that is named', () => {
    const outcome = explain([[3], [2, 3, 4], [2]], { broadcast: pdpd({ axis: 1 }), onto: 1 })
    expect(outcome.failure).toMatchObject({ operands: [1, 2], axis: -2 })
  })

  it('is plain data in JSON', () => {
    const holds = JSON.parse(
      JSON.stringify(
        explain([
          ['N', { min: 2, max: null }],
          [3, null],
        ]),
      ),
    )
    expect(holds).toMatchObject({
      verdict: 'conditional',
      rule: 'numpy',
      shapes: [
        ['N', { min: 2, max: null }],
        [3, null],
      ],
    })
    expect(holds.conditions).toContainEqual({
      anyOf: [
        { size: 'N', is: 1 },
        { size: 'N', is: 3 },
      ],
    })
    const fails = JSON.parse(
      JSON.stringify(
        explain([
          [2, 3, 4],
          [2, 4],
        ]),
      ),
    )
    expect(fails).toMatchObject({
      verdict: 'error',
      failure: { axis: -2, operands: [0, 1] },
      fixes: [
        {
          text: 'reshape B from (2,4) to (2,1,4)',
          code: 'b.reshape(2, 1, 4)',
          result: [2, 3, 4],
          verdict: 'ok',
          cost: 1,
        },
      ],
    })
  })

  it('has a sentence and what follows it, with fixes as they are asked for', () => {
    const explanation = explain([[8, 3, 32, 32], [3]])
    const { sentence, fixes } = explanation
    expect(sentence).toBe('cannot broadcast axis -1: 32 vs 3 (shapes [8,3,32,32] and [3])')
    expect(`${sentence}\n${explanation.details()}`).toBe(`${explanation}`)
    expect(fixes.map(({ changes }) => changes.map(({ kind }) => kind).join())).toEqual(['shape', 'rule', 'shape'])
    const code = (fix: Fix): string => fix.changes.map((change) => change.kind).join()
    const lines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('fix: '))
    expect(lines(explanation.details({ code }))).toEqual([
      'fix: reshape B from (3) to (3,1,1) → (8,3,32,32)   shape',
      'fix: use rule pdpd(axis=1) → (8,3,32,32)   rule',
      'fix: transpose A from (8,3,32,32) to (8,32,32,3) → (8,32,32,3)   shape',
    ])
    const second = explanation.toString({ fixes: fixes.slice(1, 2) })
    expect(lines(second)).toEqual(['fix: use rule pdpd(axis=1) → (8,3,32,32)   { broadcast: pdpd({ axis: 1 }) }'])
    expect(second.startsWith(`${sentence}\n`)).toBe(true)
    expect(explain([[2], [2]]).sentence).toBe('(2) with (2) under numpy gives (2)')
  })

  it('prints as its text in the console', () => {
    const outcome = explain([[2, 3], [3]])
    expect(inspect(outcome)).toBe(outcome.toString())
    expect(`${outcome}`).toBe(outcome.toString())
    expect(Object.keys(outcome)).toContain('verdict')
  })

  it('refuses what is no list of shapes', () => {
    expect(() => explain(3 as never)).toThrow(ShapeError)
    expect(() => explain([3] as never)).toThrow('shape of A is not an array: got 3')
  })
})
