// One node run in onnxruntime and inferred: with the sizes that the run has, with a symbol for every size, and with
// symbols for some. What inference says must be true of the run, and a node that runs must not be found impossible.
import { create } from '@bufbuild/protobuf'
import { fromData, type Tensor } from 'bcast'
import * as ort from 'onnxruntime-node'
import { arrays } from '../../../../testing/arrays.ts'
import { type Actual, type Bindings, faultOf, newTally, type Tally } from '../../../../testing/models/agree.ts'
import { type Attributes, declared, node } from '../../../../testing/models/infer.ts'
import { runOnce } from '../../../../testing/models/session.ts'
import {
  dimSymbols,
  type ElementType,
  inferShapes,
  type Model,
  type OnnxDType,
  tensorProtoOf,
  viewModel,
  writeModel,
} from '../../src/index.ts'
import { ModelProtoSchema } from '../../src/proto/onnx_pb.ts'

/** An input: its elements count where they are given, and are arbitrary otherwise; a constant is part of the model. */
export interface Given {
  readonly element?: Stored
  readonly shape: readonly number[]
  readonly values?: readonly number[]
  readonly constant?: boolean
}

export interface Case {
  readonly op: string
  readonly domain?: string
  readonly opset?: number
  /** Undefined where an input is left out. */
  readonly inputs: readonly (Given | undefined)[]
  readonly attributes?: Attributes
  readonly outputs?: number
}

type Stored = Exclude<OnnxDType, 'string' | 'bfloat16'>

/** Numbers between 1 and 8, so that they are sound scales, sizes and indices of most operands. */
function elementsOf({ element = 'float32', shape, values }: Given): ArrayBufferView & ArrayLike<number | bigint> {
  const count = shape.reduce((a, b) => a * b, 1)
  const numbers = values ?? Array.from({ length: count }, (_, i) => (element === 'bool' ? i % 2 : 1 + ((i * 5) % 8)))
  const array = arrays[element]
  return element === 'int64' || element === 'uint64'
    ? (array as BigInt64ArrayConstructor).from(numbers.map(BigInt))
    : (array as Float32ArrayConstructor).from(numbers)
}

const nameOf = (i: number): string => `x${i}`
const outputOf = (i: number): string => `y${i}`

/** The model of a case; `size` says how an axis of an input is declared. */
function modelOf(
  { op, domain = '', opset = 22, inputs, attributes, outputs = 1 }: Case,
  size: (input: number, axis: number) => string,
): Model {
  const names = inputs.map((given, i) => (given === undefined ? '-' : nameOf(i)))
  const results = Array.from({ length: outputs }, (_, i) => outputOf(i))
  const known = inputs.flatMap((given, i) => (given === undefined ? [] : [{ ...given, name: nameOf(i), i }]))
  return viewModel(
    create(ModelProtoSchema, {
      irVersion: 10n,
      opsetImport: [
        { version: BigInt(opset) },
        { domain: 'com.microsoft', version: 1n },
        { domain: 'ai.onnx.ml', version: 3n },
      ],
      graph: {
        name: 'one',
        input: known
          .filter(({ constant }) => !constant)
          .map(({ name, i, element = 'float32', shape }) =>
            declared(name, `${element}: ${shape.map((_, axis) => size(i, axis)).join(', ')}`),
          ),
        initializer: known
          .filter(({ constant }) => constant)
          .map((given) => tensorProtoOf(constantOf(given), given.name)),
        node: [node(op, names.join(' '), results.join(' '), attributes, domain)],
        output: results.map((name) => ({ name })),
      },
    }),
  )
}

const constantOf = (given: Given): Tensor =>
  fromData(given.element ?? 'float32', elementsOf(given) as never, [...given.shape]) as unknown as Tensor

/** What the run gives, or why there is none. */
export async function runCase(one: Case): Promise<readonly Actual[] | string> {
  const bytes = writeModel(modelOf(one, (i, axis) => String(one.inputs[i]!.shape[axis])))
  try {
    const feeds = one.inputs.flatMap((given, i) =>
      given === undefined || given.constant
        ? []
        : [[nameOf(i), new ort.Tensor(given.element ?? 'float32', elementsOf(given) as never, given.shape)] as const],
    )
    const results = await runOnce(bytes, Object.fromEntries(feeds))
    return Array.from({ length: one.outputs ?? 1 }, (_, i) => {
      const { dims, type, data } = results[outputOf(i)] as ort.Tensor
      const elements = type === 'string' ? undefined : (data as ArrayLike<number | bigint>)
      return { element: type as ElementType, shape: dims, elements }
    })
  } catch (error) {
    return (error as Error).message
  }
}

/** Sizes by whether inference said what they are in terms of the inputs' sizes. */
export interface Sizes extends Tally {
  exact: number
  open: number
}

export const newSizes = (): Sizes => ({ ...newTally(), exact: 0, open: 0 })

/** What inference says wrongly about a run; undefined when nothing. `isSymbol` tells which sizes it is not told. */
export function faultIn(
  one: Case,
  actual: readonly Actual[],
  isSymbol: (input: number, axis: number) => boolean,
  tally: Sizes,
): string | undefined {
  const symbol = (input: number, axis: number): string => `s${input}_${axis}`
  const size = (input: number, axis: number): string =>
    isSymbol(input, axis) ? symbol(input, axis) : String(one.inputs[input]!.shape[axis])
  const inference = inferShapes(modelOf(one, size))
  const [finding] = inference.findings
  if (finding !== undefined) return `it runs, but ${finding.message}`
  const bindings: Bindings = new Map()
  for (const [i, given] of one.inputs.entries()) {
    for (const [axis, length] of given?.shape.entries() ?? []) bindings.set(symbol(i, axis), BigInt(length))
    if (given?.values === undefined || !/^int/.test(given.element ?? '')) continue
    // Elements of small integer inputs are symbols too.
    for (const [at, value] of given.values.entries()) {
      bindings.set(given.shape.length === 0 ? `${nameOf(i)}.value` : `${nameOf(i)}.value.${at}`, BigInt(value))
    }
  }
  const named = new Set(bindings.keys())
  for (const [i, result] of actual.entries()) {
    const known = inference.valueOf(inference.root.scope, outputOf(i))
    for (const dim of (known.kind === 'tensor' && known.shape) || []) {
      tally[[...dimSymbols(dim).keys()].every((name) => named.has(name)) ? 'exact' : 'open']++
    }
    const fault = faultOf(outputOf(i), known, result, bindings, tally)
    if (fault !== undefined) return fault
  }
  return undefined
}
