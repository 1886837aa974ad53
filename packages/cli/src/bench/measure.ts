// Times the engine and the loop in turns, so that what disturbs the machine hits both, and keeps the best of each.
import type { Tensor } from 'bcast'
import type { Workload } from './workloads.ts'

export interface Measured {
  readonly name: string
  /** Milliseconds of one call. */
  readonly bcast: number
  readonly loop: number
}

/** The fewest rounds that tell anything, however slow the machine. */
const ROUNDS = 3

/** Two results, element for element: speed counts for nothing where they differ. */
function compare(name: string, result: Tensor, expected: ArrayLike<number>): void {
  const data = result.data as ArrayLike<number>
  for (let at = 0; at < expected.length; at++) {
    if (data[at] !== expected[at]) {
      throw new Error(`bench ${name}: element ${at} is ${data[at]} and the loop has ${expected[at]}`)
    }
  }
}

function timed(call: () => void): number {
  const start = performance.now()
  call()
  return performance.now() - start
}

/** Best of both, measured for so many milliseconds. */
export function measure({ name, compute, loop }: Workload, duration: number): Measured {
  const end = performance.now() + duration
  const first = compute()
  compare(name, first, loop())
  first.dispose()
  let [bcast, plain] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS || performance.now() < end; round++) {
    bcast = Math.min(
      bcast,
      timed(() => compute().dispose()),
    )
    plain = Math.min(plain, timed(loop))
  }
  return { name, bcast, loop: plain }
}
