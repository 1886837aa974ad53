// One-node ONNX models, so that this judge runs without Python.

import { dataTypeOf, writeModel } from '@bcast/onnx'
import {
  type AttributeProtoSchema,
  AttributeProto_AttributeType as AttributeType,
  ModelProtoSchema,
  type ValueInfoProtoSchema,
} from '@bcast/onnx/proto'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { namedOperators, ownAttributes } from '../../../testing/named-operators.ts'
import type { CaseDType, ComputeCase } from '../case.ts'

const OPSET = 22n
const IR_VERSION = 10n

type Attribute = MessageInitShape<typeof AttributeProtoSchema>

const int = (name: string, value: number): Attribute => ({ name, i: BigInt(value), type: AttributeType.INT })
const float = (name: string, value: number): Attribute => ({ name, f: Math.fround(value), type: AttributeType.FLOAT })
const string = (name: string, value: string): Attribute => ({
  name,
  s: new TextEncoder().encode(value),
  type: AttributeType.STRING,
})

/** An attribute of the kind that its value has. */
function attribute(name: string, value: unknown): Attribute {
  if (typeof value === 'string') return string(name, value)
  return typeof value === 'boolean' ? int(name, Number(value)) : float(name, Number(value))
}

function attributesOf({ op, attrs }: ComputeCase): Attribute[] {
  switch (op) {
    case 'Cast':
      return [int('to', dataTypeOf(attrs.to ?? 'float32'))]
    case 'Gemm':
      return [
        float('alpha', attrs.alpha ?? 1),
        float('beta', attrs.beta ?? 1),
        int('transA', Number(attrs.transA ?? false)),
        int('transB', Number(attrs.transB ?? false)),
      ]
    default: {
      const operator = namedOperators.get(op)
      const own = operator === undefined ? {} : ownAttributes(operator, attrs)
      return Object.entries(own).map(([name, value]) => attribute(name, value))
    }
  }
}

function resultType({ op, attrs }: ComputeCase, dtypes: readonly CaseDType[]): CaseDType {
  if (op === 'Cast') return attrs.to ?? 'float32'
  const operator = namedOperators.get(op)
  if (operator?.result === 'bool') return 'bool'
  return dtypes[operator?.types.own?.operand === 0 ? 1 : 0]!
}

/** A value of a type and no declared shape, so that kernels meet the shapes and not the model's loader. */
const valueInfo = (name: string, dtype: CaseDType): MessageInitShape<typeof ValueInfoProtoSchema> => ({
  name,
  type: { value: { case: 'tensorType', value: { elemType: dataTypeOf(dtype) } } },
})

/** The case's node with inputs x0, x1, … of the given types and the output y. */
export function modelOf(question: ComputeCase, dtypes: readonly CaseDType[]): Uint8Array {
  const names = dtypes.map((_, i) => `x${i}`)
  const proto = create(ModelProtoSchema, {
    irVersion: IR_VERSION,
    opsetImport: [{ version: OPSET }],
    graph: {
      name: 'case',
      node: [{ input: names, output: ['y'], opType: question.op, attribute: attributesOf(question) }],
      input: names.map((name, i) => valueInfo(name, dtypes[i]!)),
      output: [valueInfo('y', resultType(question, dtypes))],
    },
  })
  return writeModel({ proto })
}
