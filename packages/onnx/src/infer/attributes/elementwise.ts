// The attributes of an element-wise operator as bcast's function takes them, read as the table says.
import type { Attribute, Operator } from 'bcast'
import { isSet, type Said, says, textOf } from './said.ts'

function read(said: Said, name: string, attribute: Attribute): unknown {
  switch (attribute.kind) {
    case 'flag':
      return isSet(said, name, attribute.default)
    case 'number':
      // ONNX's floats have 32 bits, its defaults too.
      return says(said, name) ? said.attributes.float(name) : Math.fround(attribute.default)
    case 'choice':
      return attribute.default === undefined ? said.attributes.string(name) : textOf(said, name, attribute.default)
  }
}

export const attributesOf = (said: Said, { attributes }: Operator): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([, { onnx }]) => onnx !== false)
      .map(([name, attribute]) => [name, read(said, name, attribute)]),
  )
