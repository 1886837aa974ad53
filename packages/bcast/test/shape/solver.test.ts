// The solver on formulas that no rule would write, against brute force: a conflict exactly when no sizes satisfy the
// formula, nothing left exactly when all do, and otherwise what is left is satisfied by the same sizes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { onDefaultSeed } from '../../../../testing/seed.ts'
import {
  contains,
  type Domain,
  firstSizes,
  intersect,
  sameDomain,
  sizeCount,
  subtract,
  unite,
} from '../../src/shape/symbolic/domain.ts'
import type { Atom, Clause, Formula, Group } from '../../src/shape/symbolic/formula.ts'
import { solve } from '../../src/shape/symbolic/solve.ts'
import { find } from '../../src/shape/symbolic/state.ts'

const SYMBOLS = 4
const LARGEST = 6
const symbol = fc.nat(SYMBOLS - 1)
const named = fc.nat(3)

const interval = fc
  .tuple(fc.nat(3), fc.oneof(fc.nat(2), fc.constant(null)))
  .map(([min, more]): Domain => [{ min, max: more === null ? Infinity : min + more }])
const domain: fc.Arbitrary<Domain> = fc.oneof(fc.constant<Domain>([{ min: 0, max: Infinity }]), interval)

const atom: fc.Arbitrary<Atom> = fc.oneof(
  fc.record({ kind: fc.constant('is' as const), symbol, size: named }),
  fc.record({ kind: fc.constant('isnt' as const), symbol, size: named }),
  fc
    .uniqueArray(symbol, { minLength: 2, maxLength: 2 })
    .map(([a, b]): Atom => ({ kind: 'same', a: Math.min(a!, b!), b: Math.max(a!, b!) })),
)
const clause: fc.Arbitrary<Clause> = fc
  .array(atom, { minLength: 1, maxLength: 3 })
  .map((atoms) => ({ atoms, origin: { kind: 'meeting', resultAxis: 0, operands: [0, 1] } }))
const group: fc.Arbitrary<Group> = fc
  .record({
    kind: fc.constantFrom('agree' as const, 'apart' as const),
    symbols: fc.uniqueArray(symbol, { minLength: 2, maxLength: SYMBOLS }),
  })
  .map(({ kind, symbols }) => ({ kind, symbols, operands: symbols, resultAxis: 0 }))
const formula: fc.Arbitrary<Formula> = fc.record({
  clauses: fc.array(clause, { maxLength: 5 }),
  groups: fc.array(group, { maxLength: 2 }),
})

type Sizes = readonly number[]

const atomHolds = (sizes: Sizes, each: Atom): boolean => {
  if (each.kind === 'same') return sizes[each.a] === sizes[each.b]
  return (sizes[each.symbol] === each.size) === (each.kind === 'is')
}
const clauseHolds = (sizes: Sizes, { atoms }: Clause): boolean => atoms.some((each) => atomHolds(sizes, each))
const groupHolds = (sizes: Sizes, { kind, symbols }: Group): boolean => {
  const members = symbols.map((each) => sizes[each]!)
  if (kind === 'apart') return !(members.includes(0) && members.includes(1))
  return new Set(members.filter((size) => size !== 1)).size <= 1
}

function* assignments(domains: readonly Domain[], chosen: number[] = []): Generator<Sizes> {
  const next = domains[chosen.length]
  if (next === undefined) yield chosen
  else
    for (let size = 0; size <= LARGEST; size++) if (contains(next, size)) yield* assignments(domains, [...chosen, size])
}

describe('solve', () => {
  it('decides every formula as brute force does', () => {
    const counts = { conflict: 0, always: 0, open: 0 }
    fc.assert(
      fc.property(fc.array(domain, { minLength: SYMBOLS, maxLength: SYMBOLS }), formula, (domains, given) => {
        const solution = solve(domains, given)
        let held = 0
        let tried = 0
        for (const sizes of assignments(domains)) {
          const holds =
            given.clauses.every((each) => clauseHolds(sizes, each)) &&
            given.groups.every((each) => groupHolds(sizes, each))
          tried++
          if (holds) held++
          if ('conflict' in solution) continue
          const left =
            sizes.every(
              (size, i) => sizes[find(solution, i)] === size && contains(solution.domains[find(solution, i)]!, size),
            ) && solution.clauses.every((each) => clauseHolds(sizes, each))
          if (left !== holds) expect.fail(`${JSON.stringify(solution)} is wrong for ${sizes}`)
        }
        if ('conflict' in solution) {
          counts.conflict++
          expect(held).toBe(0)
          return
        }
        expect(held).toBeGreaterThan(0)
        const narrowed = domains.some((each, i) => find(solution, i) !== i || !sameDomain(each, solution.domains[i]!))
        const always = !narrowed && solution.clauses.length === 0
        expect(always).toBe(held === tried)
        counts[always ? 'always' : 'open']++
      }),
      { numRuns: 1000 },
    )
    onDefaultSeed(() => expect(Math.min(counts.conflict, counts.always, counts.open)).toBeGreaterThan(50))
  })

  it('sees that two sizes with one way out each must be equal', () => {
    const oneOrTwo: Domain = [{ min: 1, max: 2 }]
    const origin = { kind: 'meeting', resultAxis: 0, operands: [0, 1] } as const
    const atoms: Atom[] = [
      { kind: 'is', symbol: 0, size: 1 },
      { kind: 'is', symbol: 1, size: 1 },
      { kind: 'same', a: 0, b: 1 },
    ]
    expect(solve([oneOrTwo, oneOrTwo], { clauses: [{ atoms, origin }], groups: [] })).toMatchObject({ clauses: [] })
  })

  it('leaves no clause twice, and none that a shorter one implies', () => {
    const origin = { kind: 'meeting', resultAxis: 0, operands: [0, 1] } as const
    const is = (of: number, size: number): Atom => ({ kind: 'is', symbol: of, size })
    const clauses: Clause[] = [
      { atoms: [is(0, 1), is(1, 1), is(2, 1)], origin },
      { atoms: [is(1, 1), is(0, 1)], origin },
      { atoms: [is(0, 1), is(1, 1)], origin },
    ]
    const anything: Domain = [{ min: 0, max: Infinity }]
    const solution = solve([anything, anything, anything], { clauses, groups: [] })
    expect('clauses' in solution && solution.clauses.map(({ atoms }) => atoms.length)).toEqual([2])
  })
})

describe('sets of sizes', () => {
  const sets = fc.array(interval, { maxLength: 3 }).map((list) => list.reduce<Domain>(unite, []))
  const has = (set: Domain) => Array.from({ length: 12 }, (_, size) => contains(set, size))

  it('unite, meet and subtract as sets do, and stay sorted and apart', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const [inA, inB] = [has(a), has(b)]
        expect(has(unite(a, b))).toEqual(inA.map((yes, i) => yes || inB[i]))
        expect(has(intersect(a, b))).toEqual(inA.map((yes, i) => yes && inB[i]))
        expect(has(subtract(a, b))).toEqual(inA.map((yes, i) => yes && !inB[i]))
        for (const set of [unite(a, b), subtract(a, b)]) {
          expect(set.every(({ min }, i) => i === 0 || min > set[i - 1]!.max! + 1)).toBe(true)
        }
      }),
    )
  })

  it('count and list their sizes', () => {
    const set: Domain = [
      { min: 1, max: 2 },
      { min: 5, max: Infinity },
    ]
    expect(firstSizes(set, 4)).toEqual([1, 2, 5, 6])
    expect(firstSizes(set.slice(0, 1), Infinity)).toEqual([1, 2])
    expect([sizeCount(set), sizeCount(set.slice(0, 1)), sizeCount([])]).toEqual([Infinity, 2, 0])
  })
})
