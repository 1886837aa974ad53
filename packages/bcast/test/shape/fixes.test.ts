// Suggestions: the everyday mistakes get the answer a colleague would give, and nothing is suggested that does not
// work, that its code does not do, or that takes long to find.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestTime } from '../../../../testing/processor-time.ts'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import type { Dim, SymbolicShape } from '../../src/shape/dim.ts'
import { applyEdit } from '../../src/shape/edit.ts'
import { explain } from '../../src/shape/explain.ts'
import type { Fix } from '../../src/shape/fix.ts'
import { operandName, type Rule } from '../../src/shape/rule.ts'
import {
  explicit,
  matmulBatch,
  none,
  numpy,
  onnxLegacy,
  paddle,
  pdpd,
  sonnx,
  unidirectional,
} from '../../src/shape/rules/index.ts'
import { infer } from '../../src/shape/symbolic/infer.ts'
import { drawn } from './support/rules.ts'

const fixes = (shapes: readonly SymbolicShape[], rule: Rule = numpy): string[] =>
  explain(shapes, { broadcast: rule }).fixes.map(({ code }) => code)

describe('everyday mistakes', () => {
  it('a missing axis in the middle', () => {
    expect(
      fixes([
        [2, 3, 4],
        [2, 4],
      ]),
    ).toEqual(['b.reshape(2, 1, 4)'])
  })

  it('a bias by channel', () => {
    expect(fixes([[8, 3, 32, 32], [3]])).toEqual([
      'b.reshape(3, 1, 1)',
      '{ broadcast: pdpd({ axis: 1 }) }',
      'a.transpose(0, 2, 3, 1)',
    ])
  })

  it('a run of sizes in the middle, as Paddle and old ONNX take it', () => {
    expect(
      fixes([
        [2, 3, 4, 5],
        [3, 4],
      ]),
    ).toEqual(['b.reshape(3, 4, 1)', '{ broadcast: pdpd({ axis: 1 }) }'])
    expect(
      fixes(
        [
          [2, 3, 4, 5],
          [3, 4],
        ],
        onnxLegacy({ broadcast: true }),
      )[0],
    ).toBe('{ broadcast: onnxLegacy({ broadcast: true, axis: 1 }) }')
    expect(fixes([[2, 3, 4, 5], [5]], onnxLegacy())[0]).toBe('{ broadcast: onnxLegacy({ broadcast: true }) }')
    expect(
      fixes(
        [
          [2, 3, 4, 5],
          [3, 1, 5],
        ],
        paddle({ axis: 0 }),
      )[0],
    ).toBe('b.reshape(1, 3, 1, 5)')
  })

  it('a transposed operand', () => {
    expect(
      fixes([
        [2, 3],
        [3, 2],
      ]),
    ).toEqual(['b.transpose(1, 0)', 'a.transpose(1, 0)'])
  })

  it('the next best too, when it is little dearer', () => {
    expect(
      fixes([
        [3, 4, 3],
        [3, 4],
      ]),
    ).toEqual(['b.reshape(3, 4, 1)', 'b.transpose(1, 0)', '{ broadcast: pdpd({ axis: 0 }) }'])
  })

  it('images with channels first and last', () => {
    expect(
      fixes([
        [8, 32, 24, 3],
        [8, 3, 32, 24],
      ]),
    ).toContain('b.transpose(0, 2, 3, 1)')
  })

  it('a column where a row was meant: (N) against (N,1) holds, with a note', () => {
    const outcome = explain([['N'], ['N', 1]])
    expect(outcome.verdict).toBe('ok')
    expect(outcome.shape).toEqual(['N', 'N'])
    expect(outcome.warning).toBe('both operands stretch, so every element of one meets every element of the other')
    expect(outcome.fixes.map(({ code }) => code)).toEqual(['b.reshape(b.shape[0])'])
    expect(explain([[5, 1], [5]]).fixes.map(({ code }) => code)).toEqual(['a.reshape(5)'])
  })

  it('no note where nothing is larger than an operand, or an outer product is spelled out', () => {
    for (const shapes of [
      [[1, 3], [3]],
      [[3], [1, 3]],
      [
        [3, 1],
        [1, 3],
      ],
      [[1, 1], [1]],
      [[3], [3]],
      [[2, 1], [3]],
    ]) {
      expect(explain(shapes).warning).toBeUndefined()
    }
  })

  it('a broadcast where none is allowed, and a result larger than A', () => {
    expect(fixes([[2, 3], [3]], none)).toEqual(['{ broadcast: numpy }'])
    expect(fixes([[3], [2, 3]], unidirectional)).toEqual(['{ broadcast: numpy }'])
    expect(fixes([[0], [1]], sonnx)).toEqual(['{ broadcast: numpy }'])
  })

  it('matrices stay as they are: only batches are respelled', () => {
    const outer = [
      [2, 4, 5],
      [3, 5, 6],
    ]
    expect(fixes(outer, matmulBatch)).toEqual(['b.reshape(3, 1, 5, 6)', 'a.reshape(2, 1, 4, 5)'])
    const inner = explain(
      [
        [2, 3, 4, 5],
        [2, 5, 6],
      ],
      { broadcast: matmulBatch },
    ).fixes
    expect(inner.map(({ code, cost }) => [code, cost])).toEqual([['b.reshape(2, 1, 5, 6)', 1]])
    expect(fixes([[4, 5], []], matmulBatch)).toEqual([])
  })

  it('lengths that differ: only as an outer product', () => {
    expect(fixes([[2], [3]])).toEqual(['b.reshape(3, 1)', 'a.reshape(2, 1)'])
  })

  it('nothing where nothing works', () => {
    expect(fixes([[2], [3]], none)).toEqual([])
    expect(fixes([[3], [2]], unidirectional)).toEqual([])
    expect(
      fixes(
        [
          [2, 3],
          [4, 5],
        ],
        explicit({ axesMapping: [0, 1] }),
      ),
    ).toEqual([])
    expect(fixes([[2, 3], null, [4, 5]])).toEqual([])
  })

  it('sizes without a number are read from the operand', () => {
    expect(
      fixes([
        [2, 3, 'T'],
        [2, 'T'],
      ]),
    ).toEqual(['b.reshape(2, 1, b.shape[1])'])
  })

  it('another rule together with an edit, where neither alone helps', () => {
    expect(
      fixes(
        [
          [2, 3],
          [3, 2],
        ],
        pdpd({ axis: 1 }),
      ),
    ).toEqual(['b.transpose(1, 0), { broadcast: numpy }', 'a.transpose(1, 0), { broadcast: numpy }'])
  })
})

const symbolicShapes = fc.array(
  fc.array(fc.constantFrom<Dim>(1, 2, 3, 'N', 'M', { min: 2, max: 4 }), { maxLength: 3 }),
  { minLength: 2, maxLength: 3 },
)
const symbolicRules = fc.constantFrom<Rule>(
  numpy,
  sonnx,
  none,
  unidirectional,
  pdpd({ axis: 0 }),
  paddle(),
  matmulBatch,
)

/** The shapes that a fix's code makes of the given ones. */
function run(code: string, shapes: readonly (readonly Dim[])[]): (readonly Dim[])[] {
  return shapes.map((shape, operand) => {
    const name = operandName(operand).toLowerCase()
    const [call] = code.match(new RegExp(`\\b${name}(\\.(reshape|transpose)\\([^)]*\\))+`)) ?? ['']
    let current = shape
    for (const [, method, list] of call.matchAll(/\.(reshape|transpose)\(([^)]*)\)/g)) {
      const entries = list === '' ? [] : list!.split(', ')
      if (method === 'transpose') current = entries.map((axis) => current[Number(axis)]!)
      else {
        const next = entries.map((entry): Dim => {
          const from = entry.match(/^\w\.shape\[(\d+)\]$/)
          return from === null ? Number(entry) : shape[Number(from[1])]!
        })
        // A reshape keeps elements in order: only ones come and go.
        expect(next.filter((dim) => dim !== 1)).toEqual(current.filter((dim) => dim !== 1))
        current = next
      }
    }
    return current
  })
}

/** The rule that `{ broadcast: … }` asks for. */
const madeBy = (code: string): Rule =>
  new Function('numpy', 'pdpd', 'paddle', 'onnxLegacy', `return (${code}).broadcast`)(numpy, pdpd, paddle, onnxLegacy)

function expectWorks(fix: Fix, shapes: readonly (readonly Dim[])[], rule: Rule): void {
  const edited = shapes.map((shape, operand) =>
    fix.edits.filter((edit) => edit.operand === operand).reduce(applyEdit, shape),
  )
  expect(fix.shapes).toEqual(edited)
  const outcome = infer(fix.rule, edited)
  expect(outcome.verdict).toBe(fix.verdict)
  if (outcome.verdict !== 'error') expect(outcome.shape).toEqual(fix.result)
  expect(run(fix.code, shapes)).toEqual(edited)
  const changed = fix.changes.flatMap((change) => (change.kind === 'shape' ? [change.operand] : []))
  expect(changed).toEqual([...new Set(fix.edits.map(({ operand }) => operand))].sort())
  const rules = fix.changes.flatMap((change) => (change.kind === 'rule' ? [change.rule] : []))
  expect(rules).toEqual(fix.rule.label === rule.label ? [] : [fix.rule])
  for (const { code } of fix.changes.filter(({ kind }) => kind === 'rule')) {
    expect(madeBy(code).label).toBe(fix.rule.label)
    expect(fix.text).toContain(`use rule ${fix.rule.label}`)
  }
  expect([fix.text, fix.code]).toEqual([
    fix.changes.map(({ text }) => text).join(' and '),
    fix.changes.map(({ code }) => code).join(', '),
  ])
}

describe('every suggestion', () => {
  it('works, does what its code says, and stands in order of cost', () => {
    let suggested = 0
    const cases = fc.oneof(
      drawn.map(({ rule, shapes }) => ({ rule, shapes: shapes as readonly (readonly Dim[])[] })),
      fc.record({ rule: symbolicRules, shapes: symbolicShapes }),
    )
    fc.assert(
      fc.property(cases, ({ rule, shapes }) => {
        const { fixes: found, verdict } = explain(shapes, { broadcast: rule })
        if (verdict === 'error') suggested += found.length
        expect(found.length).toBeLessThanOrEqual(4)
        expect(found.map(({ cost }) => cost)).toEqual(found.map(({ cost }) => cost).sort((a, b) => a - b))
        expect(new Set(found.map(({ code }) => code)).size).toBe(found.length)
        for (const fix of found) expectWorks(fix, shapes, rule)
      }),
      { numRuns: 300 },
    )
    onDefaultSeed(() => expect(suggested).toBeGreaterThan(50))
  })

  it('is the cheapest: whatever one inserted 1 repairs is repaired by one inserted 1', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(2, 3, 4, 5), { minLength: 2, maxLength: 5 }), fc.nat(), (target, n) => {
        const axis = n % (target.length - 1)
        const b = target.toSpliced(axis, 1)
        fc.pre(infer(numpy, [target, b]).verdict === 'error')
        const [first] = explain([target, b]).fixes
        expect(first).toMatchObject({ cost: 1, result: target })
      }),
      { numRuns: 100 },
    )
  })
})

describe('the search ends', () => {
  const within = (milliseconds: number, shapes: readonly SymbolicShape[], rule: Rule): void =>
    expect(bestTime(() => explain(shapes, { broadcast: rule }), milliseconds)).toBeLessThan(milliseconds)
  const concrete = [
    [2, 3, 4, 5, 6, 7, 8, 9],
    [9, 8, 7, 6, 5, 4, 3, 2],
    [2, 3, 4, 5],
    [5, 4, 3],
    [2, 2],
    [3, 3],
  ]
  const symbolic: readonly SymbolicShape[] = [
    ['A', 'B', 'C', 'D', 'E', 'F', 'G', 2],
    [2, 'H', 'I', 'J', 'K', 'L', 'M', 3],
    ['A'],
    ['C', 'D'],
    [4, 'A'],
    [5, 5],
  ]

  it.each([
    numpy,
    none,
    sonnx,
    unidirectional,
    pdpd({ axis: 1 }),
    paddle({ axis: 1 }),
    onnxLegacy({ broadcast: true }),
  ])('rank 8 and 6 operands under $label', (rule) => {
    within(200, concrete, rule)
    within(200, symbolic, rule)
  })

  it('10,000 operands', () => {
    within(1000, [...new Array(10_000).fill([2, 3]), [4]], numpy)
  })
})
