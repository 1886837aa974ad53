// Whether what inference knows of a value is true of the value that a run gave. A symbol that only data decides takes
// its value where it first stands alone; from then on it must have that value everywhere.
import {
  type Dim,
  DimError,
  dimConstant,
  dimSymbols,
  evaluateDim,
  formatDim,
  type Known,
  type Scalar,
} from '@bcast/onnx'

/** A tensor as a run gave it. */
export interface Actual {
  readonly element: string
  readonly shape: readonly number[]
  /** Elements of numbers; undefined for texts. */
  readonly elements: ArrayLike<number | bigint> | undefined
}

/** What was compared. */
export interface Tally {
  /** Shapes of numbers that were right. */
  fixed: number
  /** Shapes of expressions that evaluate to what is right. */
  symbolic: number
  /** Elements that were known, and right. */
  elements: number
  /** Values of which not even the rank is known, by name. */
  readonly unknown: string[]
}

export const newTally = (): Tally => ({ fixed: 0, symbolic: 0, elements: 0, unknown: [] })

/** Values of symbols, those of inputs to begin with. */
export type Bindings = Map<string, bigint>

const onlySymbol = (dim: Dim): string | undefined => {
  const [name] = dimSymbols(dim).keys()
  return name !== undefined && [...dimSymbols(dim).values()][0]!.key === dim.key ? name : undefined
}

/** The value of an expression; a symbol alone that has none yet takes `actual`. Undefined when a symbol has none. */
function sizeOf(dim: Dim, actual: bigint, bindings: Bindings): bigint | undefined {
  const alone = onlySymbol(dim)
  if (alone !== undefined && !bindings.has(alone)) bindings.set(alone, actual)
  try {
    return evaluateDim(dim, bindings)
  } catch (error) {
    if (error instanceof DimError && error.code === 'DIM_UNBOUND') return undefined
    throw error
  }
}

function scalarFault(value: Scalar, actual: number | bigint, bindings: Bindings, tally: Tally): string | undefined {
  if (value === null) return undefined
  if (typeof value === 'number') {
    tally.elements++
    return Object.is(value, Number(actual)) || value === Number(actual) ? undefined : `${value}, in truth ${actual}`
  }
  const got = sizeOf(value, BigInt(actual), bindings)
  if (got === undefined) return undefined
  tally.elements++
  return got === BigInt(actual) ? undefined : `${formatDim(value)} = ${got}, in truth ${actual}`
}

/** What is wrong with what is known of a value; undefined when nothing is. */
export function faultOf(
  name: string,
  known: Known,
  actual: Actual,
  bindings: Bindings,
  tally: Tally,
): string | undefined {
  if (known.kind === 'unknown' || (known.kind === 'tensor' && known.shape === null)) {
    tally.unknown.push(name)
    if (known.kind === 'unknown') return undefined
  }
  if (known.kind !== 'tensor') return `${name} is a ${known.kind}, in truth a tensor`
  const { element, shape, values } = known
  if (element !== undefined && element !== actual.element) return `${name} is of ${element}, in truth ${actual.element}`
  if (shape === null) return undefined
  const text = `(${shape.map(formatDim).join(', ')}), in truth (${actual.shape.join(', ')})`
  if (shape.length !== actual.shape.length) return `${name} is ${text}`
  for (const [axis, dim] of shape.entries()) {
    const size = BigInt(actual.shape[axis]!)
    const got = sizeOf(dim, size, bindings)
    if (got !== undefined && got !== size) return `${name} is ${text}: axis ${axis} gives ${got}`
  }
  if (shape.every((dim) => dimConstant(dim) !== undefined)) tally.fixed++
  else tally.symbolic++
  for (const [i, value] of (values ?? []).entries()) {
    const fault = actual.elements && scalarFault(value, actual.elements[i]!, bindings, tally)
    if (fault !== undefined) return `element ${i} of ${name} is ${fault}`
  }
  return undefined
}
