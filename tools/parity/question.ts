// A call that can be made in many ways: an operator, its operands, what it is told besides. The operators are the rows
// themselves, so that a new one is asked about without being listed here.

import { type DType, dtypes, Tensor } from 'bcast'
import { allowedTypes, type Row, typeBeside } from '../../packages/bcast/src/expr/row.ts'
import * as rowModule from '../../packages/bcast/src/expr/rows/index.ts'
import { choicesOf } from '../../testing/attributes.ts'

export interface Question {
  /** The public function's name. */
  readonly name: string
  readonly row: Row
  /** Tensors and JavaScript values. */
  readonly operands: readonly unknown[]
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The element-wise operators by their public names. */
export const rows: ReadonlyMap<string, Row> = new Map(Object.entries<Row>(rowModule))

/** Every choice of attributes of an operator. */
export const attributesOf = ({ attributes = {} }: Row): Readonly<Record<string, unknown>>[] => choicesOf(attributes)

export const operandsOf = ({ operands, variadic }: Row, otherwise: number): number =>
  variadic === true ? otherwise : operands.length

/** Whether it is one operand of an operator of any number, which has no form but an array of one. */
export const isAlone = ({ row, operands }: Question): boolean => row.variadic === true && operands.length === 1

/** The types that an operand of its own type is tried with, beside the others' type. */
export function ownTypes({ own }: Row, shared: DType): readonly DType[] {
  if (own === undefined) return [shared]
  const takes = allowedTypes(own.types)
  const refused = dtypes.find((dtype) => !takes.includes(dtype))
  return [...takes.filter((dtype) => ['bool', 'int8', 'int64', 'float32', shared].includes(dtype)), refused ?? shared]
}

/** The type that bare values take beside the tensors. */
export const sharedType = ({ operands, row }: Question): DType | undefined =>
  typeBeside(
    row,
    operands.map((operand) => (operand instanceof Tensor ? operand.dtype : undefined)),
  )

const shown = (operand: unknown): string =>
  operand instanceof Tensor
    ? `${operand.dtype}(${operand.shape.join()})`
    : typeof operand === 'bigint'
      ? `${operand}n`
      : typeof operand === 'string'
        ? JSON.stringify(operand)
        : Object.is(operand, -0)
          ? '-0'
          : String(operand)

export const textOf = ({ name, operands, attributes }: Question): string =>
  `${name}(${[...operands.map(shown), ...Object.entries(attributes).map(([key, value]) => `${key}: ${value}`)].join(', ')})`
