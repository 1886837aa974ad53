// The operators that an expression may use: bcast's own, by their names, and a few words for what attributes choose.
// Signs such as `+` and `<=` are other spellings of the same rows.
import * as bcast from 'bcast'
import { type DType, dtypeInfo, operators as table } from 'bcast'

/** A tensor, or an operand inside `fuse`. */
export interface Value {
  readonly dtype: DType
}

/** A bare number takes the type of the values beside it. */
export type Operand = Value | number | bigint

/** What is said of attributes: `alpha=0.1`. */
export type Attributes = Readonly<Record<string, number | boolean | string>>

export interface Operator extends Omit<bcast.Operator, 'call'> {
  /** Whether it is about bits, which only integers and bools have. */
  readonly bitwise: boolean
  /** At least one operand is a value. */
  apply(operands: readonly Operand[], rule: bcast.Rule, attributes?: Attributes): Value
}

function operatorOf({ call, ...facts }: bcast.Operator): Operator {
  const takes = facts.types.shared.map((dtype) => dtypeInfo(dtype))
  return {
    ...facts,
    // One operand by itself is what somebody writes who means a reduction.
    least: facts.most === Number.POSITIVE_INFINITY ? 2 : facts.least,
    bitwise: takes.some(({ isInteger }) => isInteger) && !takes.some(({ isFloat }) => isFloat),
    apply: (operands, rule, attributes) => {
      const options = { ...attributes, ...(operands.length > 1 ? { broadcast: rule } : {}) }
      return call(...operands, ...(Object.keys(options).length === 0 ? [] : [options]))
    },
  }
}

const isFloat = (operands: readonly Operand[]): boolean =>
  operands.some((operand) => typeof operand === 'object' && dtypeInfo(operand.dtype).isFloat)

const { div, floor, mod } = {
  div: operatorOf(table.div),
  floor: operatorOf(table.floor),
  mod: operatorOf(table.mod),
}

/** What has a word of its own here, or is more careful. */
const own: readonly Operator[] = [
  /** Division rounded down: OpenVINO's for integers; floats divide, then round down. */
  {
    ...div,
    name: 'floorDiv',
    help: 'a / b rounded down',
    attributes: {},
    apply: (operands, rule) =>
      isFloat(operands)
        ? floor.apply([div.apply(operands, rule)], rule)
        : div.apply(operands, rule, { pythondiv: true }),
  },
  /** The rest of integers; of floats whoever writes has to say whose sign it has. */
  {
    ...mod,
    apply: (operands, rule, attributes) => {
      if (isFloat(operands) && attributes?.['fmod'] !== true) {
        throw new bcast.DTypeError(
          "mod is for integers; of floats, fmod(x, y) has the dividend's sign and x % y, or floorMod, the divisor's.",
          'float',
        )
      }
      return mod.apply(operands, rule, attributes)
    },
  },
  /** The rest that follows the dividend, floats included. */
  {
    ...mod,
    name: 'fmod',
    help: "the rest of a / b with the dividend's sign",
    attributes: {},
    apply: (operands, rule) => mod.apply(operands, rule, { fmod: true }),
  },
]

/** Whether a call has to say no attribute; one that has to has other names here, such as leftShift. */
const isComplete = ({ attributes }: bcast.Operator): boolean =>
  Object.values(attributes).every((attribute) => attribute.default !== undefined)

const rows: readonly Operator[] = [...Object.values(table).filter(isComplete).map(operatorOf), ...own]

/** By name; OpenVINO's name of where besides. */
export const operators: ReadonlyMap<string, Operator> = new Map([
  ...rows.map((row) => [row.name, row] as const),
  ['select', operatorOf(table.where)],
])

/** A call as it is written: `max(x, …)`, `clip(x, [min], [max])`, `leakyRelu(x, alpha=0.01)`. */
function formOf({ name, operands, least, most, attributes }: Operator): string {
  const given = operands.map((operand, i) => (i < least ? operand : `[${operand}]`))
  const said = Object.entries(attributes).map(([attribute, fact]) => `${attribute}=${fact.default}`)
  return `${name}(${[...given, ...(most === Number.POSITIVE_INFINITY ? ['…'] : []), ...said].join(', ')})`
}

/** Every function in a line, for help. */
export function functionsText(): string {
  const forms = [...new Map(rows.map((row) => [row.name, row])).values()]
    .map((row) => [formOf(row), row.help] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const width = Math.max(...forms.map(([form]) => form.length))
  return forms.map(([form, help]) => `  ${form.padEnd(width)}  ${help}`).join('\n')
}
