// Sums of products: matrices, einsum, recurrent cells.
import type { DType, Tensor } from 'bcast'
import type { Case } from '../../support/cases.ts'
import type { Random } from '../../support/random.ts'
import { filled, made, whole } from './elements.ts'

/** One of these equations, every letter of some size. */
export const einsum =
  (...equations: readonly string[]) =>
  (random: Random): Case => {
    const equation = random.pick(...equations)
    const sizes = new Map(Array.from('abcdhijkqw', (letter) => [letter, random.int(1, 4)]))
    const operands = equation.split('->')[0]!.split(',')
    const inputs = operands.map((part) =>
      whole(
        random,
        Array.from(part.replace('...', '.'), (letter) => (letter === '.' ? [2, 3] : [sizes.get(letter)!])).flat(),
      ),
    )
    return made('Einsum', 12, inputs, { equation })
  }

export const batched = (random: Random): Case => {
  const [m, k, n] = random.ints(3, 1, 7) as [number, number, number]
  const [a, b] = random.pick<readonly [number[], number[]]>(
    [[2, 1], [3]],
    [[], [2, 3]],
    [[4], []],
    [
      [2, 3],
      [2, 3],
    ],
  )
  const dtype = random.pick<DType>('float32', 'int32', 'float64')
  return made('MatMul', 13, [whole(random, [...a, m, k], dtype), whole(random, [...b, k, n], dtype)])
}

export const recurrent =
  (op: string, gateCount: number, stateCount: number) =>
  (random: Random): Case => {
    const direction = random.pick('forward', 'reverse', 'bidirectional')
    const directions = direction === 'bidirectional' ? 2 : 1
    const [steps, batch, input, hidden] = random.ints(4, 1, 5) as [number, number, number, number]
    const gates = gateCount * hidden
    const state = (): Tensor => filled(random, [directions, batch, hidden])
    const states = random.chance() ? [undefined, ...Array.from({ length: stateCount }, state)] : []
    const bias =
      random.chance() || states.length > 0
        ? [random.chance() ? filled(random, [directions, 2 * gates]) : undefined]
        : []
    const inputs = [
      ...[filled(random, [steps, batch, input]), filled(random, [directions, gates, input])],
      ...[filled(random, [directions, gates, hidden]), ...bias, ...states],
    ]
    const reset = op === 'GRU' ? { linear_before_reset: random.int(0, 1) } : {}
    return made(op, random.pick(7, 14), inputs, { direction, hidden_size: hidden, ...reset }, 1 + stateCount)
  }
