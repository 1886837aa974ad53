// `import 'bcast/real'`: exact rational arithmetic for element type real, by fraction.js.
import Fraction from 'fraction.js'
import { provideRealSteps } from './backend/interpreter/loops.ts'
import { steps } from './backend/interpreter/real-steps.ts'
import { provideReal, type Real } from './dtype/real.ts'
import { ValueError } from './errors/index.ts'

export type { Real } from './dtype/real.ts'

/** Bits of the numerator or denominator of a power; BigInts end somewhere beyond, after minutes. */
const MAX_BITS = 2n ** 24n

const bits = (value: bigint): number => value.toString(2).length

const fraction = (value: Real): Fraction => value as Fraction

provideRealSteps(steps)
provideReal({
  // A number is its exact binary value: fraction.js would search for a nearby decimal instead.
  from: (value) => (typeof value === 'number' ? exact(value) : new Fraction(value)),
  is: (value): value is Real => value instanceof Fraction,
  add: (a, b) => fraction(a).add(fraction(b)),
  sub: (a, b) => fraction(a).sub(fraction(b)),
  mul: (a, b) => fraction(a).mul(fraction(b)),
  div: (a, b) => fraction(a).div(fraction(b)),
  compare: (a, b) => {
    const left = a.s * a.n * b.d
    const right = b.s * b.n * a.d
    return left < right ? -1 : left > right ? 1 : 0
  },
  pow: (a, exponent) => {
    const magnitude = exponent < 0n ? -exponent : exponent
    if (BigInt(Math.max(bits(a.n), bits(a.d)) - 1) * magnitude > MAX_BITS) {
      throw new ValueError(`Pow of real: ${a} to the power ${exponent} has more than ${MAX_BITS} bits.`, exponent)
    }
    const n = (a.s * a.n) ** magnitude
    const d = a.d ** magnitude
    return exponent < 0n ? new Fraction(d, n) : new Fraction(n, d)
  },
})

function exact(value: number): Fraction {
  let denominator = 1n
  let scaled = value
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    denominator *= 2n
  }
  return new Fraction(BigInt(scaled), denominator)
}

/** The exact value of a number or text; throws a ValueError where there is none. */
function exactly(value: number | bigint | string): Fraction {
  try {
    if (typeof value !== 'number') return new Fraction(value)
    if (Number.isFinite(value)) return exact(value)
  } catch {
    // fraction.js says only that the text is invalid.
  }
  throw new ValueError(
    `${String(value)} is not an exact number; give a finite number, a bigint, or a text such as '1/3' or '0.25'.`,
    value,
  )
}

/** An exact rational: `real('1/3')`, `real(1, 3)`, `real(0.1)` (the exact value of that float64). */
export function real(value: number | bigint | string, denominator: number | bigint = 1n): Real {
  const divisor = exactly(denominator)
  if (divisor.n === 0n) throw new ValueError(`${String(value)} over 0 is not a number.`, denominator)
  return exactly(value).div(divisor)
}
