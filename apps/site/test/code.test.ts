// Printed code means what the library says: read back step by step, and run where Python has NumPy.
import { spawnSync } from 'node:child_process'
import { explain, numpy, pdpd, type Shape } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { needs } from '../../../testing/needs.ts'
import { languages } from '../src/code/languages.ts'
import { applyStep, type CodePlan, fixedShapes, planOf } from '../src/code/plan.ts'
import { isVerified, readBack } from '../src/code/verify.ts'
import { rules } from './shapes.ts'

const python = process.env['BCAST_PYTHON'] ?? 'python3'
const hasNumpy = spawnSync(python, ['-c', 'import numpy']).status === 0

const printed = (name: string, plan: CodePlan): string =>
  languages.find((language) => language.name === name)!.print(plan)

function planFor(
  shapes: readonly Shape[],
  fix?: number,
  rule = numpy as Parameters<typeof planOf>[0]['rule'],
): CodePlan {
  const chosen = fix === undefined ? undefined : explain(shapes, { broadcast: rule }).fixes[fix]!
  const plan = planOf({ shapes, rule: chosen?.rule ?? rule, onto: 0, edits: chosen?.edits ?? [], operator: 'sub' })
  if (typeof plan === 'string') throw new Error(plan)
  return plan
}

/** Mistakes whose fixes reshape, move and transpose. */
const mistakes: readonly Shape[][] = [
  [
    [2, 3, 4],
    [2, 4],
  ],
  [
    [2, 3, 4],
    [4, 3],
  ],
  [[32, 10], [32]],
  [[8, 3, 224, 224], [3]],
  [
    [2, 3, 4],
    [4, 2, 3],
  ],
  [
    [5, 4],
    [3, 5],
  ],
]

describe.each(languages.map(({ name }) => name).filter((name) => name !== 'bcast'))('%s', (name) => {
  it('leads to the result under every rule', () => {
    fc.assert(
      fc.property(rules, ({ shapes, rule }) => {
        const plan = planOf({ shapes, rule, onto: 0, edits: [], operator: 'add' })
        if (typeof plan === 'string') throw new Error(plan)
        expect(plan.result).toEqual(explain(shapes, { broadcast: rule }).shape)
        expect(isVerified(printed(name, plan), plan.result)).toBe(true)
      }),
    )
  })

  it('applies every fix of a mistake', () => {
    for (const shapes of mistakes) {
      explain(shapes).fixes.forEach((fix, i) => {
        const plan = planFor(shapes, i)
        expect(plan.result).toEqual(fix.result)
        expect([fix.text, isVerified(printed(name, plan), plan.result)]).toEqual([fix.text, true])
      })
    }
  })

  it('is not believed when a number in it is wrong', () => {
    const plan = planFor(
      [
        [2, 3, 4],
        [2, 4],
      ],
      0,
    )
    const code = printed(name, plan)
    expect(isVerified(code, plan.result)).toBe(true)
    expect(isVerified(code, [2, 3, 5])).toBe(false)
    expect(() => readBack(code.replace('2, 1, 4', '2, 1, 5'))).toThrow('loses elements')
    expect(isVerified(code.replace('2, 1, 4', '1, 2, 4'), plan.result)).toBe(false)
  })
})

describe('bcast', () => {
  it('prints the fix, and the rule where it is another', () => {
    expect(
      printed(
        'bcast',
        planFor(
          [
            [2, 3, 4],
            [2, 4],
          ],
          0,
        ),
      ),
    ).toBe(
      [
        "import { ones, sub } from 'bcast'",
        '',
        'const a = ones([2, 3, 4])',
        'const b = ones([2, 4])',
        'const z = sub(a, b.reshape(2, 1, 4))',
        'z.shape // [2, 3, 4]',
      ].join('\n'),
    )
    expect(
      printed(
        'bcast',
        planFor(
          [
            [2, 3, 4, 5],
            [3, 4],
          ],
          undefined,
          pdpd({ axis: 1 }),
        ),
      ),
    ).toContain('const z = sub(a, b, { broadcast: pdpd({ axis: 1 }) })')
  })

  it('runs', async () => {
    const library = await import('bcast')
    for (const plan of [
      ...mistakes.flatMap((shapes) => explain(shapes).fixes.map((_, i) => planFor(shapes, i))),
      planFor(
        [
          [2, 3, 4, 5],
          [3, 4],
        ],
        undefined,
        pdpd({ axis: 1 }),
      ),
      planFor([[2, 1], [3], []]),
    ]) {
      const [head, ...lines] = printed('bcast', plan).split('\n')
      const names = /\{(.*)\}/.exec(head!)![1]!
      const body = lines.join('\n').replace(/^z\.shape.*$/m, 'return z.shape')
      // biome-ignore lint/security/noGlobalEval: what is printed for people is run.
      const run = eval(`(({${names}}) => {${body}})`) as (from: typeof library) => Shape
      expect(run(library)).toEqual(plan.result)
      expect(fixedShapes(plan)).toHaveLength(plan.operands.length)
    }
  })
})

describe('steps', () => {
  it('that lose elements or axes are refused', () => {
    expect(() => applyStep([2, 3], { kind: 'reshape', shape: [2, 2] })).toThrow('loses elements')
    expect(() => applyStep([2, 3], { kind: 'transpose', order: [0, 0] })).toThrow('none of 2 axes')
  })
})

describe('NumPy', needs('numpy', hasNumpy), () => {
  it('runs every program that is printed for it', () => {
    const plans = [
      ...mistakes.flatMap((shapes) => explain(shapes).fixes.map((_, i) => planFor(shapes, i))),
      ...fc.sample(rules, 60).map(({ shapes, rule }) => planFor(shapes, undefined, rule)),
    ]
    const programs = plans.map((plan) => printed('NumPy', plan))
    const { status, stderr } = spawnSync(python, ['-'], { input: programs.join('\n'), encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
    // The asserts in them are what is tested.
    const wrong = programs[0]!.replace('assert tuple(z.shape) == (', 'assert tuple(z.shape) == (9, ')
    expect(spawnSync(python, ['-'], { input: wrong }).status).not.toBe(0)
  })
})
