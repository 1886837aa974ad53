// The value of a Dim for given sizes, exact: bigint throughout. Shared parts are computed once.
import type { Atom, Dim, DimLike } from './dim.ts'
import { DimError } from './errors.ts'
import { floorQuotient } from './integer.ts'
import { toDim } from './polynomial.ts'
import { atomsOf } from './walk.ts'

/** Values of symbols by name. */
export type Sizes = ReadonlyMap<string, number | bigint> | Readonly<Record<string, number | bigint>>

function lookUp(sizes: Sizes, name: string): bigint | undefined {
  const record = sizes as Readonly<Record<string, number | bigint>>
  const given = sizes instanceof Map ? sizes.get(name) : Object.hasOwn(sizes, name) ? record[name] : undefined
  if (typeof given === 'number' && !Number.isSafeInteger(given)) {
    throw new DimError('DIM_VALUE', `The size given for ${name} is ${given}; sizes are integers.`)
  }
  return given === undefined ? undefined : BigInt(given)
}

type Values = ReadonlyMap<string, bigint>

function dimValue({ terms }: Dim, values: Values): bigint {
  let sum = 0n
  for (const { coefficient, monomial } of terms) {
    let product = coefficient
    for (const { atom, power } of monomial.factors) product *= values.get(atom.key)! ** BigInt(power)
    sum += product
  }
  return sum
}

function atomValue(atom: Atom, values: Values, sizes: Sizes): bigint {
  if (atom.kind === 'floor') {
    const divisor = dimValue(atom.divisor, values)
    if (divisor === 0n) throw new DimError('DIM_DIVISION_BY_ZERO', `${atom.key} has no value: the divisor is 0.`)
    return floorQuotient(dimValue(atom.numerator, values), divisor)
  }
  if (atom.kind !== 'symbol') {
    const members = atom.members.map((member) => dimValue(member, values))
    return members.reduce((a, b) => ((atom.kind === 'max' ? b > a : b < a) ? b : a))
  }
  const given = lookUp(sizes, atom.name)
  if (given !== undefined) return given
  if (atom.definition !== undefined) return dimValue(atom.definition, values)
  throw new DimError('DIM_UNBOUND', `No size was given for ${atom.key}.`)
}

/** The size that an expression has where its names have sizes. */
export function evaluate(dim: DimLike, sizes: Sizes): bigint {
  const whole = toDim(dim)
  const values = new Map<string, bigint>()
  for (const atom of atomsOf(whole)) values.set(atom.key, atomValue(atom, values, sizes))
  return dimValue(whole, values)
}

/** The value as a size of a shape; a DimError where it is negative or above 2^53 - 1. */
export function evaluateSize(dim: DimLike, sizes: Sizes): number {
  const value = evaluate(dim, sizes)
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new DimError('DIM_SIZE', `${toDim(dim).key} is ${value}; a size lies between 0 and 2^53 - 1.`)
  }
  return Number(value)
}
