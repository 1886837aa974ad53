// Every element-wise operator as the tests call it: its row, its public function, its attributes, its operands.
import type { Attributes } from '@bcast/spec'
import type { DType, Rule, Tensor } from 'bcast'
import * as bcast from 'bcast'
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

interface Extra {
  readonly name?: string
  readonly operands?: number
  readonly attributes?: Attributes
  readonly types?: readonly DType[]
}

/** Calls without the compiler's view of shapes: these tests make them at run time. */
export const loosely = (name: PublicName): ((...args: unknown[]) => Tensor) => library[name] as never

/** The asynchronous form, called as loosely. */
export const looselyLater = (name: PublicName): ((...args: unknown[]) => Promise<Tensor>) =>
  (library[name] as unknown as { async: never }).async

function operator(publicName: PublicName & keyof typeof rows, extra: Extra = {}): Operator {
  const row = rows[publicName] as Row
  const { attributes = {}, name = row.name } = extra
  const operands = extra.operands ?? (row.operands === 'variadic' ? 2 : row.operands)
  const given = Object.entries(attributes).map(([key, value]) => `${key}=${String(value)}`)
  return {
    title: [row.name, row.operands === 'variadic' ? `of ${operands}` : '', ...given].filter(Boolean).join(' '),
    name,
    row,
    operands,
    attributes,
    types: extra.types ?? allowedTypes(row.types),
    call: (tensors, options = {}) => loosely(publicName)(...tensors, { ...attributes, ...options }),
    later: (tensors, options = {}) => looselyLater(publicName)(...tensors, { ...attributes, ...options }),
  }
}

const FLOATS: readonly DType[] = ['float16', 'bfloat16', 'float32', 'float64']
const without = (types: readonly DType[], left: readonly DType[]): DType[] =>
  types.filter((dtype) => !left.includes(dtype))
const typesOf = (row: Row): readonly DType[] => allowedTypes(row.types)

/** All but Where, Pow and Gemm, whose operands differ in type or shape. */
export const operators: readonly Operator[] = [
  operator('add'),
  operator('sub'),
  operator('mul'),
  operator('div'),
  operator('div', { attributes: { pythondiv: true } }),
  operator('mod', { types: without(typesOf(rows.mod), FLOATS) }),
  operator('mod', { attributes: { fmod: true } }),
  operator('floorMod'),
  operator('squaredDifference'),
  ...[1, 2, 3].flatMap((count) => [
    operator('max', { operands: count }),
    operator('min', { operands: count }),
    operator('sum', { operands: count }),
    operator('mean', { operands: count }),
  ]),
  operator('and'),
  operator('or'),
  operator('xor'),
  operator('not'),
  operator('equal'),
  operator('notEqual'),
  operator('less'),
  operator('greater'),
  operator('lessOrEqual'),
  operator('greaterOrEqual'),
  operator('bitwiseAnd'),
  operator('bitwiseOr'),
  operator('bitwiseXor'),
  operator('bitwiseNot'),
  operator('bitShift', { attributes: { direction: 'LEFT' } }),
  operator('bitShift', { attributes: { direction: 'RIGHT' } }),
  { ...operator('leftShift', { name: 'BitShift' }), attributes: { direction: 'LEFT' } },
  { ...operator('rightShift', { name: 'BitShift' }), attributes: { direction: 'RIGHT' } },
  operator('neg'),
  operator('abs'),
  operator('sign'),
  operator('sqrt'),
  operator('exp'),
  operator('log'),
  operator('tanh'),
  operator('sigmoid'),
  operator('relu'),
  operator('floor'),
  operator('ceil'),
  operator('round'),
  operator('reciprocal'),
  operator('identity'),
  operator('prelu'),
]
