// Whether a peer's result is right: the same bytes as the reference, or elements within the workload's tolerance where
// the order of operations is the peer's own.
import { closeSync, openSync, readSync, statSync } from 'node:fs'

const BLOCK = 1 << 24

/** Undefined when the files agree, else what is wrong. Tolerances are for float32. */
export function difference(file: string, reference: string, tolerance: number): string | undefined {
  const [size, expected] = [statSync(file).size, statSync(reference).size]
  if (size !== expected) return `${size} bytes where ${expected} are right`
  const [a, b] = [openSync(file, 'r'), openSync(reference, 'r')]
  const [x, y] = [Buffer.alloc(BLOCK), Buffer.alloc(BLOCK)]
  try {
    for (let at = 0; at < size; at += BLOCK) {
      const length = readSync(a, x, 0, BLOCK, at)
      readSync(b, y, 0, BLOCK, at)
      if (x.subarray(0, length).equals(y.subarray(0, length))) continue
      if (tolerance === 0) {
        const byte = x.findIndex((value, i) => value !== y[i])
        return `differs from byte ${at + byte} on`
      }
      const found = new Float32Array(x.buffer, x.byteOffset, length / 4)
      const right = new Float32Array(y.buffer, y.byteOffset, length / 4)
      const wrong = found.findIndex((value, i) => {
        const distance = Math.abs(value - right[i]!)
        return !(distance <= tolerance * Math.max(1, Math.abs(right[i]!)))
      })
      if (wrong >= 0) return `element ${at / 4 + wrong} is ${found[wrong]}, not ${right[wrong]}`
    }
    return undefined
  } finally {
    closeSync(a)
    closeSync(b)
  }
}
