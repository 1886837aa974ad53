// Functions that the library does not have, made of its operations in float64, so that they are the same bits everywhere
// and become part of larger kernels: the error function and Gelu, sine and cosine.
import { abs, add, div, exp, floor, less, min, mod, mul, neg, sub, type Tensor, where } from 'bcast'

/** A polynomial by its coefficients, that of the highest power first. */
const polynomial = (x: Tensor, [first, ...others]: readonly number[]): Tensor =>
  others.reduce<Tensor | number>((sum, coefficient) => add(mul(x, sum as Tensor), coefficient), first!) as Tensor

/** erf(x)/x over x^2 from 0 to 1: a Chebyshev fit, within 2e-19. */
const NEAR: readonly number[] = [
  ...[5.957176147748911e-11, -1.1372848856791674e-9, 1.4659775274047436e-8, -1.6350312701054695e-7],
  ...[1.6461000484121368e-6, -1.4925595266831182e-5, 0.0001205533111164271, -0.000854832698083379],
  ...[0.0052239776248180145, -0.026866170645076792, 0.11283791670954879, -0.3761263890318375, 1.1283791670955126],
]

/** (1 + 2*x)*e^(x^2)*erfc(x) over (x - 3.75)/(x + 3.75), for x from 0 to infinity: a Chebyshev fit, within 6e-17. */
const TAIL: readonly number[] = [
  ...[3.2052623379289157e-10, -2.618520156503145e-9, -3.798189797736207e-9, 3.195398612057818e-8],
  ...[2.3398534313040898e-8, -2.4851108650210706e-7, -5.741076073013916e-8, 1.7419011945194367e-6],
  ...[-9.733875167494142e-7, -1.1437980374495534e-5, 2.2384138525656757e-5, 5.164649341002877e-5],
  ...[-0.00029015404203352704, 0.000293714390578856, 0.001755625843431864, -0.00974657968596217],
  ...[0.028362277420377335, -0.05869339857631061, 0.09230432116025894, -0.10880393014246645],
  ...[0.08227673849014977, 0.003585415485479575, -0.14024059858554702, 1.2375126308378275],
]

/** 1 - erf(x) for x of at least 0, also where it is small. */
function complement(x: Tensor): Tensor {
  // Beyond 30 it is 0, and infinity over infinity would be no number.
  const a = min(x, 30)
  const fitted = polynomial(div(sub(a, 3.75), add(a, 3.75)), TAIL)
  return div(mul(fitted, exp(neg(mul(a, a)))), add(mul(a, 2), 1))
}

/** The error function of float64. */
export function erf(x: Tensor): Tensor {
  const a = abs(x)
  const far = sub(1, complement(a))
  return where(less(a, 1), mul(x, polynomial(mul(x, x), NEAR)), where(less(x, 0), neg(far), far))
}

/** x/2 * (1 + erf(x/sqrt(2))) of float64, without cancelling where x is far below 0. */
export function gelu(x: Tensor): Tensor {
  const half = mul(complement(mul(abs(x), Math.SQRT1_2)), 0.5)
  return mul(x, where(less(x, 0), half, sub(1, half)))
}

/** 2*pi is TURN + REST. */
const TURN = 2 * Math.PI
const REST = 2.4492935982947064e-16

/** sin(x)/x over x^2 from 0 to (pi/2)^2: its series, as far as float64 sees it. */
const SINE: readonly number[] = Array.from({ length: 12 }, (_, i) => 11 - i).map((n) => {
  let factorial = 1
  for (let k = 2; k <= 2 * n + 1; k++) factorial *= k
  return (n % 2 === 0 ? 1 : -1) / factorial
})

/** The angle within one turn around 0; a remainder is exact, and what whole turns differ from TURN is put right. */
function withinTurn(x: Tensor): Tensor {
  const rest = mod(x, TURN, { fmod: true })
  const turns = div(sub(x, rest), TURN)
  const angle = sub(rest, mul(turns, REST))
  return sub(angle, mul(floor(add(div(angle, TURN), 0.5)), TURN))
}

const sineWithinQuarters = (x: Tensor): Tensor => mul(x, polynomial(mul(x, x), SINE))

/** The sine of float64, in radians; absolute errors are those of float64 up to 2^53 and grow with the angle from there on. */
export function sine(x: Tensor): Tensor {
  const angle = withinTurn(x)
  const a = abs(angle)
  const folded = sineWithinQuarters(where(less(a, Math.PI / 2), a, sub(Math.PI, a)))
  return where(less(angle, 0), neg(folded), folded)
}

/** The cosine of float64, as the sine. */
export const cosine = (x: Tensor): Tensor => sineWithinQuarters(sub(Math.PI / 2, abs(withinTurn(x))))
