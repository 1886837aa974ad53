// Symbolic shapes to try every rule on: some with a point, and random ones.
import fc from 'fast-check'
import type { Dim, SymbolicShape } from '../../../src/shape/dim.ts'
import { countSymbols } from './enumerate.ts'

/** Tuples with a point: names shared across axes and operands, choices that interact, intervals that decide. */
export const tuples: readonly SymbolicShape[][] = [
  [
    ['N', 'N'],
    [3, 2],
  ],
  [
    ['N', 'M'],
    ['M', 'N'],
  ],
  [
    ['N', 'N'],
    ['M', 'K'],
  ],
  [
    ['N', 3],
    ['M', 'N'],
    [2, 'M'],
  ],
  [['N'], ['M'], ['K'], [3]],
  [['N'], [null], [null]],
  [[{ min: 2, max: null }], ['N'], ['M']],
  [[{ min: 0, max: 1 }], [{ min: 1, max: 2 }], ['N']],
  [[{ min: 2, max: 3 }], [{ min: 3, max: 4 }]],
  [[{ min: 2, max: 3 }], [{ min: 4, max: 5 }]],
  [[{ min: 3, max: 3 }], ['N', { min: 3, max: 3 }]],
  [[{ min: 1, max: 2 }], [{ min: 1, max: 2 }]],
  [[2, 'N', 0], [{ min: 0, max: 1 }]],
  [[2, 'N', 'M'], [2], [3], [4]],
  [['N', 1], [1, 'N'], ['N']],
  [
    ['N', 2, 'M'],
    ['N', 'M'],
  ],
  [
    ['N', 'M', 'K'],
    ['M', 1],
  ],
  [['N', 'M'], ['N']],
  [['N', 'M'], ['M', 'K'], ['K']],
  [[0], ['N']],
  [[1], ['N'], ['M']],
  [
    ['N', 0],
    [1, 'M'],
  ],
  [[], ['N']],
  [['N'], []],
  [
    ['N', 'N'],
    ['N', 'N'],
  ],
  [
    [{ min: 2, max: null }, 'N'],
    ['N', { min: 2, max: 3 }],
  ],
]

const dim: fc.Arbitrary<Dim> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 2, 3) },
  { weight: 4, arbitrary: fc.constantFrom('N', 'M', 'K') },
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(3), fc.oneof(fc.nat(2), fc.constant(null)))
      .map(([min, more]) => ({ min, max: more === null ? null : min + more })),
  },
)
/** Up to three shapes in which few sizes are open. */
export const symbolic: fc.Arbitrary<Dim[][]> = fc
  .array(fc.array(dim, { maxLength: 3 }), { minLength: 1, maxLength: 3 })
  .filter((shapes) => countSymbols(shapes) <= 3)
