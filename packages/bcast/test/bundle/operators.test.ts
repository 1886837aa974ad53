// Each operator alone in a bundle: it brings all that its programs need, for every type, on both backends. Results are
// those of the whole library.
import * as bcast from 'bcast'
import { type DType, dtypes, type Tensor } from 'bcast'
import { describe, expect, it } from 'vitest'
import { make, specials } from '../../../../testing/elements.ts'
import { allowedTypes } from '../../src/expr/row.ts'
import { gemm } from '../../src/expr/rows/gemm.ts'
import * as rows from '../../src/expr/rows/index.ts'
import { bundles, importBundle } from '../support/bundled.ts'
import { operators } from '../support/operators.ts'

type Call = (...args: unknown[]) => Tensor
type Library = Readonly<Record<string, Call>>

const whole = { ...bcast } as unknown as Library

/** What a call gives or throws, as text; NaNs are equal whatever their bits. */
function outcome(call: () => Tensor): string {
  try {
    const made = call()
    const elements = [made.toArray() as unknown].flat(8)
    const texts = elements.map((element) => (Object.is(element, -0) ? '-0' : String(element)))
    return `${made.dtype} ${made.shape.join()} ${texts.join(' ')}`
  } catch (error) {
    return String(error)
  }
}

/** A type's elements in an order of their own for each operand. */
function elements(dtype: DType, operand: number): Tensor {
  const values = specials(dtype)
  return make(
    dtype,
    values.map((_, i) => values[(i * (operand + 3)) % values.length]!),
  ) as Tensor
}

/** The same operands in another library. */
const moved = (library: Library, tensors: readonly Tensor[]): Tensor[] =>
  tensors.map(({ dtype, data, shape }) => library['fromData']!(dtype, Array.isArray(data) ? data : data.slice(), shape))

function same(library: Library, name: string, tensors: readonly Tensor[], ...rest: readonly unknown[]): void {
  const wanted = outcome(() => whole[name]!(...tensors, ...rest))
  for (const backend of ['auto', 'interpreter']) {
    library['configure']!({ backend })
    expect(`${backend} ${outcome(() => library[name]!(...moved(library, tensors), ...rest))}`).toBe(
      `${backend} ${wanted}`,
    )
  }
}

/** A library with nothing but one operator and what makes tensors, for each. */
const names = [...new Set(operators.map(({ row }) => row.call))]
const others = ['where', 'pow', 'cast', 'gemm']
const made = await bundles(
  [...names, ...others].map((name) => `import 'bcast/real'\nexport { ${name}, configure, fromData } from 'bcast'`),
)
const codes = new Map([...names, ...others].map((name, i) => [name, made[i]!]))
const alone = async (name: string): Promise<Library> => (await importBundle(codes.get(name)!)) as unknown as Library

describe('alone in a bundle', () => {
  it.each(names)('%s', async (name) => {
    const library = await alone(name)
    for (const { row, types, operands, attributes } of operators) {
      if (row.call !== name) continue
      for (const dtype of types) {
        const given = Array.from({ length: operands }, (_, operand) => elements(dtype, operand))
        same(library, name, given, attributes)
        // Divisors without zeros, so that there is a result.
        const ones = elements(dtype, 0).slice([1, 2]) as Tensor
        if (row.fault !== undefined && operands === 2) same(library, name, [given[0]!, ones], attributes)
      }
    }
  })

  it('where', async () => {
    const library = await alone('where')
    const condition = make('bool', [true, false]).reshape(2, 1) as Tensor
    for (const dtype of allowedTypes(rows.where.types)) {
      same(library, 'where', [condition, elements(dtype, 0), elements(dtype, 1)])
    }
  })

  it('pow', async () => {
    const library = await alone('pow')
    for (const base of allowedTypes(rows.pow.types)) {
      for (const exponent of allowedTypes(rows.pow.own!.types)) {
        const exponents = elements(exponent, 1).slice([0, 5]).reshape(5, 1) as Tensor
        same(library, 'pow', [elements(base, 0), exponents])
      }
    }
  })

  it('cast', async () => {
    const library = await alone('cast')
    for (const from of dtypes) for (const to of dtypes) same(library, 'cast', [elements(from, 0)], to)
  })

  it('gemm', async () => {
    const library = await alone('gemm')
    for (const dtype of allowedTypes(gemm.types)) {
      const [a, b] = [0, 1].map((operand) => elements(dtype, operand).slice([0, 6]).reshape(2, 3) as Tensor)
      same(library, 'gemm', [a!, b!], { transB: true, alpha: 2 })
    }
  })
})
