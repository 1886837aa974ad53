// Whether a peer's results are right: the same bytes as the reference, or elements within the workload's tolerance where
// the order of operations is the peer's own.
import { closeSync, openSync, readSync, statSync } from 'node:fs'

const BLOCK = 1 << 24

/** The blocks of both files between two places. */
function* blocks(a: number, b: number, from: number, to: number): Generator<[at: number, x: Buffer, y: Buffer]> {
  const [x, y] = [Buffer.alloc(BLOCK), Buffer.alloc(BLOCK)]
  for (let at = from; at < to; at += BLOCK) {
    const length = Math.min(BLOCK, to - at)
    readSync(a, x, 0, length, at)
    readSync(b, y, 0, length, at)
    yield [at, x.subarray(0, length), y.subarray(0, length)]
  }
}

const numbers = (block: Buffer): Float32Array => new Float32Array(block.buffer, block.byteOffset, block.length / 4)

/** The largest element of a result without its sign. */
function largest(file: number, from: number, to: number): number {
  let most = 0
  for (const [, , right] of blocks(file, file, from, to))
    for (const value of numbers(right)) most = Math.max(most, Math.abs(value))
  return most
}

/**
 * Undefined when the files agree, else what is wrong. Results lie one behind the other in so many bytes each; tolerances
 * are for float32, relative to the largest element of each.
 */
export function difference(
  file: string,
  reference: string,
  sizes: readonly number[],
  tolerances: readonly number[],
): string | undefined {
  const [size, expected] = [statSync(file).size, statSync(reference).size]
  if (size !== expected) return `${size} bytes where ${expected} are right`
  const [a, b] = [openSync(file, 'r'), openSync(reference, 'r')]
  try {
    let from = 0
    for (const [result, bytes] of sizes.entries()) {
      const to = from + bytes
      const tolerance = tolerances[result]!
      let apart: number | undefined
      for (const [at, x, y] of blocks(a, b, from, to)) {
        if (x.equals(y)) continue
        if (tolerance === 0) return `differs from byte ${at + x.findIndex((value, i) => value !== y[i])} on`
        const [found, right] = [numbers(x), numbers(y)]
        const most = (apart ??= tolerance * largest(b, from, to))
        const wrong = found.findIndex((value, i) => !(Math.abs(value - right[i]!) <= most))
        if (wrong < 0) continue
        const where = sizes.length === 1 ? '' : ` of result ${result}`
        return `element ${(at - from) / 4 + wrong}${where} is ${found[wrong]}, not ${right[wrong]}`
      }
      from = to
    }
    return undefined
  } finally {
    closeSync(a)
    closeSync(b)
  }
}
