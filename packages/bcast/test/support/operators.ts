// Every element-wise operator as the tests call it: its row, its public function, its attributes, its operands.
import type { Attributes } from '@bcast/spec'
import type { DType, Rule, Tensor } from 'bcast'
import * as bcast from 'bcast'
import { choicesOf } from '../../../../testing/attributes.ts'
import { allowedTypes, type Row } from '../../src/expr/row.ts'
import * as rowModule from '../../src/expr/rows/index.ts'

const library = { ...bcast }
const rows = { ...rowModule }

export interface Options {
  readonly broadcast?: Rule
  readonly out?: Tensor
}

export interface Operator {
  readonly title: string
  /** The specification's name. */
  readonly name: string
  readonly row: Row
  readonly operands: number
  readonly attributes: Attributes
  readonly types: readonly DType[]
  readonly call: (tensors: readonly Tensor[], options?: Options) => Tensor
  /** The asynchronous form of `call`. */
  readonly later: (tensors: readonly Tensor[], options?: Options) => Promise<Tensor>
}

export type PublicName = {
  [N in keyof typeof library]: (typeof library)[N] extends (...args: never) => Tensor ? N : never
}[keyof typeof library]

/** Calls without the compiler's view of shapes: these tests make them at run time. */
export const loosely = (name: PublicName): ((...args: unknown[]) => Tensor) => library[name] as never

/** The asynchronous form, called as loosely. */
export const looselyLater = (name: PublicName): ((...args: unknown[]) => Promise<Tensor>) =>
  (library[name] as unknown as { async: never }).async

/** What the specification calls operators that it knows as another with an attribute. */
const SPECIFIED: Readonly<Record<string, { readonly name: string; readonly attributes: Attributes }>> = {
  leftShift: { name: 'BitShift', attributes: { direction: 'LEFT' } },
  rightShift: { name: 'BitShift', attributes: { direction: 'RIGHT' } },
}

/** Operands as arguments: of any number of operands one alone stands in an array. */
const given = ({ variadic }: Row, tensors: readonly Tensor[]): readonly unknown[] =>
  variadic === true && tensors.length === 1 ? [tensors] : tensors

function operator(row: Row, attributes: Attributes, operands: number): Operator {
  const publicName = row.call as PublicName
  const said = Object.entries(attributes).map(([key, value]) => `${key}=${String(value)}`)
  return {
    title: [row.name, row.variadic === true ? `of ${operands}` : '', ...said].filter(Boolean).join(' '),
    row,
    operands,
    ...(SPECIFIED[row.call] ?? { name: row.name, attributes }),
    types: allowedTypes(row.types).filter((dtype) => row.refuse?.(dtype, dtype, { ...attributes }) === undefined),
    call: (tensors, options = {}) => loosely(publicName)(...given(row, tensors), { ...attributes, ...options }),
    later: (tensors, options = {}) => looselyLater(publicName)(...given(row, tensors), { ...attributes, ...options }),
  }
}

const countsOf = (row: Row): readonly number[] => (row.variadic === true ? [1, 2, 3] : [row.operands.length])

/** All but Where and Pow, whose operands differ in type. */
export const operators: readonly Operator[] = Object.values<Row>(rows)
  .filter(({ own }) => own === undefined)
  .flatMap((row) =>
    choicesOf(row.attributes ?? {}).flatMap((attributes) =>
      countsOf(row).map((count) => operator(row, attributes as Attributes, count)),
    ),
  )
