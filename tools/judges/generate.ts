// The random cases of a run: an operator or rule, shapes, types, elements, all from one seed. Families keep their
// share whatever the number, so that a short run still asks about everything.

import { makeRandom, type Random } from '../../testing/random.ts'
import type { Case, Draft } from './case.ts'
import { directed } from './directed.ts'
import { cast, gemm, mixedPow, numpyBinary, prelu, unary, variadic, where } from './elementwise-cases.ts'
import {
  broadcastTo,
  inferIntervals,
  inferNamed,
  legacy,
  mixed,
  openvinoBroadcast,
  otherRules,
  paddleAxis,
  selectPdpd,
  shapesOnly,
} from './rule-cases.ts'

const FAMILIES: readonly (readonly [weight: number, draw: (random: Random) => Draft])[] = [
  [26, numpyBinary],
  [4, mixedPow],
  [9, variadic],
  [9, unary],
  [5, where],
  [5, cast],
  [4, prelu],
  [4, gemm],
  [3, (random) => broadcastTo(random, 'unidirectional')],
  [3, (random) => broadcastTo(random, 'bidirectional')],
  [5, openvinoBroadcast],
  [6, otherRules],
  [1, selectPdpd],
  [4, paddleAxis],
  [2, legacy],
  [1, mixed],
  [4, shapesOnly],
  [6, inferNamed],
  [4, inferIntervals],
]

/** `count` random cases and the ones written by hand, in an order that depends on the seed alone. */
export function generate(count: number, seed: number): Case[] {
  const random = makeRandom(seed)
  const total = FAMILIES.reduce((sum, [weight]) => sum + weight, 0)
  const drafts = [...directed]
  for (const [weight, draw] of FAMILIES) {
    const share = Math.round((count * weight) / total)
    for (let i = 0; i < share; i++) drafts.push(draw(random))
  }
  return drafts.map((draft, id): Case => ({ ...draft, id }) as Case)
}
