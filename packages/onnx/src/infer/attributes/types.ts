// Element types that nodes name: by a number of ONNX, in the oldest files by a text.
import { type ElementType, elementTypeOf } from '../../model/element-type.ts'
import { TensorProto_DataType as DataType } from '../../proto/onnx_pb.ts'
import { intOf, type Said } from './said.ts'

/** The number of a type that an attribute names, 0 for a text that is no type. */
export function castNumber({ attributes }: Pick<Said, 'attributes'>): number {
  if (attributes.kind('to') !== 'string') return attributes.int('to')
  const numbers: Readonly<Record<string, unknown>> = DataType
  return Number(numbers[attributes.string('to').toUpperCase()] ?? 0)
}

/** What Cast makes. */
export const castType = (said: Said): ElementType | undefined => elementTypeOf(castNumber(said))

/** The type of a result by number; 0 where it is left out. */
export const quantizedNumber = (said: Said): number => intOf(said, 'output_dtype', 0)

/** The type that statistics of a normalisation are computed in, by number. */
export const stashNumber = (said: Said): number => intOf(said, 'stash_type', 1)

/** The type of what is generated, by number; undefined where it is left out. */
export const generatedNumber = (said: Said): number | undefined => intOf(said, 'dtype', undefined)
