// The schema of a case file, and the check that each case keeps to it. A case that is misread would be judged
// wrongly in silence, so everything that a judge relies on is checked here, once; one that does not keep to it is
// handed on with its fault, so that it hides no other.

import type { Dim, SymbolicShape } from 'bcast'
import { BadCallError } from './outcome.ts'

const KINDS = ['shape', 'value', 'grad', 'grad_axes'] as const
const FORMS = ['elementwise', 'broadcast_to'] as const
const RULES = [
  'numpy',
  'unidirectional',
  'bidirectional',
  'explicit',
  'ngraph_axes',
  'pdpd',
  'paddle',
  'onnx_legacy',
  'none',
  'sonnx',
  'sonnx_none',
  'openvino_prelu',
  'matmul_batch',
] as const

export type RuleName = (typeof RULES)[number]

/** An element as the file writes it: what does not fit a JSON number is a string. */
export type Written = number | string

/** A shape given as a tensor: its values, or only the shape of that tensor. */
export type ShapeTensor = readonly Dim[] | null | { readonly tensorShape: SymbolicShape }

export interface Input {
  readonly shape: SymbolicShape
  readonly dtype?: string
  readonly values?: readonly Written[]
}

export interface Attrs {
  readonly axis?: number
  readonly broadcast?: number
  readonly opset?: number
  readonly transA?: number
  readonly transB?: number
  readonly alpha?: number
  readonly beta?: number
  readonly fmod?: number
  readonly pythondiv?: boolean
  readonly direction?: 'LEFT' | 'RIGHT'
  readonly dtypes?: readonly string[]
  readonly broadcastAxes?: readonly number[]
  readonly axesMapping?: ShapeTensor
  readonly targetShape?: ShapeTensor
  /** The gradient of the output. */
  readonly gradOutput?: Input
}

/** One tensor that is expected, or only its shape. */
export interface ExpectedTensor {
  readonly shape: SymbolicShape
  readonly dtype?: string
  readonly values?: readonly Written[]
}

export type Expect =
  | { readonly type: 'error'; readonly message?: string }
  | ({ readonly type: 'shape'; readonly broadcastAxes?: readonly number[] } & ExpectedTensor)
  | { readonly type: 'shapes'; readonly shapes: readonly SymbolicShape[] }
  /** Every output of an N-ary broadcast. */
  | { readonly type: 'outputs'; readonly outputs: readonly ExpectedTensor[] }
  /** The outputs of an operator, and the gradients of its inputs. */
  | {
      readonly type: 'gradients'
      readonly outputs: readonly ExpectedTensor[]
      readonly grads: readonly ExpectedTensor[]
    }
  /** For each input the axes that its gradient is summed over. */
  | { readonly type: 'axes'; readonly axes: readonly (readonly number[])[] }

export interface Case {
  readonly id: string
  readonly kind: (typeof KINDS)[number]
  readonly form: (typeof FORMS)[number]
  readonly rule: RuleName
  readonly op: string | undefined
  readonly inputs: readonly Input[]
  readonly attrs: Attrs
  readonly expect: Expect
  readonly tags: readonly string[]
  /** The repository whose test the case restates. */
  readonly source: string
}

/** An entry of a file that is no case, and why. */
export interface Malformed {
  readonly id: string
  readonly fault: string
}

type Json = unknown
type JsonObject = Readonly<Record<string, Json>>

class SchemaError extends Error {}

const fail = (what: string): never => {
  throw new SchemaError(what)
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const object = (value: Json, name: string): JsonObject => (isObject(value) ? value : fail(`${name} is not an object`))

const list = (value: Json, name: string): readonly Json[] =>
  Array.isArray(value) ? value : fail(`${name} is not a list`)

const string = (value: Json, name: string): string =>
  typeof value === 'string' ? value : fail(`${name} is not a string`)

function number(value: Json, name: string): number {
  return typeof value === 'number' ? value : fail(`${name} is not a number`)
}

function oneOf<const T extends readonly string[]>(value: Json, values: T, name: string): T[number] {
  const found = values.find((candidate) => candidate === value)
  return found ?? fail(`${name} is ${JSON.stringify(value)}, not one of ${values.join(', ')}`)
}

function dim(value: Json, name: string): Dim {
  if (value === null || typeof value === 'number' || typeof value === 'string') return value
  const { min, max } = object(value, name)
  return { min: number(min, `${name}.min`), max: max === null ? null : number(max, `${name}.max`) }
}

function shape(value: Json, name: string): SymbolicShape {
  return value === null ? null : list(value, name).map((entry, i) => dim(entry, `${name}[${i}]`))
}

function shapeTensor(value: Json, name: string): ShapeTensor {
  if (!isObject(value)) return shape(value, name)
  const { tensor_shape: sizes } = value
  if (sizes === undefined) fail(`${name} has no tensor_shape`)
  return { tensorShape: shape(sizes, `${name}.tensor_shape`) }
}

function written(value: Json, name: string): readonly Written[] {
  return list(value, name).map((entry, i) =>
    typeof entry === 'number' || typeof entry === 'string' ? entry : fail(`${name}[${i}] is not a number or string`),
  )
}

const strings = (value: Json, name: string): readonly string[] =>
  list(value, name).map((entry, i) => string(entry, `${name}[${i}]`))

const numbers = (value: Json, name: string): readonly number[] =>
  list(value, name).map((entry, i) => number(entry, `${name}[${i}]`))

const flag = (value: Json, name: string): boolean => (typeof value === 'boolean' ? value : number(value, name) !== 0)

/** An operand or a result: a shape, perhaps with the type and the elements of a tensor. */
function tensor(value: Json, name: string): Input & ExpectedTensor {
  const { shape: sizes, dtype: type, values } = object(value, name)
  if (sizes === undefined) fail(`${name} has no shape`)
  return {
    shape: shape(sizes, `${name}.shape`),
    ...(type === undefined ? {} : { dtype: string(type, `${name}.dtype`) }),
    ...(values === undefined ? {} : { values: written(values, `${name}.values`) }),
  }
}

const tensors = (value: Json, name: string): readonly (Input & ExpectedTensor)[] =>
  list(value, name).map((entry, i) => tensor(entry, `${name}[${i}]`))

const NUMBER_ATTRS = ['axis', 'broadcast', 'opset', 'transA', 'transB', 'alpha', 'beta', 'fmod'] as const

function attrs(value: Json): Attrs {
  const given = object(value, 'attrs')
  const out: { -readonly [K in keyof Attrs]: Attrs[K] } = {}
  for (const name of NUMBER_ATTRS) if (name in given) out[name] = number(given[name], `attrs.${name}`)
  const { pythondiv, direction, dtypes, broadcast_axes, axes_mapping, target_shape, grad_output } = given
  if (pythondiv !== undefined) out.pythondiv = flag(pythondiv, 'attrs.pythondiv')
  if (direction !== undefined) out.direction = oneOf(direction, ['LEFT', 'RIGHT'], 'attrs.direction')
  if (dtypes !== undefined) out.dtypes = strings(dtypes, 'attrs.dtypes')
  if (broadcast_axes !== undefined) out.broadcastAxes = numbers(broadcast_axes, 'attrs.broadcast_axes')
  if (axes_mapping !== undefined) out.axesMapping = shapeTensor(axes_mapping, 'attrs.axes_mapping')
  if (target_shape !== undefined) out.targetShape = shapeTensor(target_shape, 'attrs.target_shape')
  if (grad_output !== undefined) out.gradOutput = tensor(grad_output, 'attrs.grad_output')
  return out
}

function expectation(value: Json): Expect {
  const { error, message, shapes, outputs, grads, reduce_axes, shape: sizes, broadcast_axes } = object(value, 'expect')
  if (error === true) {
    return { type: 'error', ...(message === undefined ? {} : { message: string(message, 'expect.message') }) }
  }
  if (shapes !== undefined) {
    return { type: 'shapes', shapes: list(shapes, 'expect.shapes').map((s, i) => shape(s, `expect.shapes[${i}]`)) }
  }
  if (reduce_axes !== undefined) {
    const axes = list(reduce_axes, 'expect.reduce_axes').map((own, i) => numbers(own, `expect.reduce_axes[${i}]`))
    return { type: 'axes', axes }
  }
  if (grads !== undefined) {
    const made = outputs === undefined ? [] : tensors(outputs, 'expect.outputs')
    return { type: 'gradients', outputs: made, grads: tensors(grads, 'expect.grads') }
  }
  if (outputs !== undefined) return { type: 'outputs', outputs: tensors(outputs, 'expect.outputs') }
  if (sizes === undefined) fail('expect has no error, shape, shapes, outputs, grads or reduce_axes')
  return {
    type: 'shape',
    ...tensor(value, 'expect'),
    ...(broadcast_axes === undefined ? {} : { broadcastAxes: numbers(broadcast_axes, 'expect.broadcast_axes') }),
  }
}

function readCase(value: Json): Case {
  const {
    id,
    kind,
    form,
    rule,
    op,
    inputs,
    attrs: given = {},
    expect,
    tags = [],
    origin = {},
  } = object(value, 'the case')
  const { repo } = object(origin, 'origin')
  const read: Case = {
    id: string(id, 'id'),
    kind: oneOf(kind, KINDS, 'kind'),
    form: oneOf(form, FORMS, 'form'),
    rule: oneOf(rule, RULES, 'rule'),
    op: op === undefined ? undefined : string(op, 'op'),
    inputs: tensors(inputs, 'inputs'),
    attrs: attrs(given),
    expect: expectation(expect),
    tags: strings(tags, 'tags'),
    source: repo === undefined ? '' : string(repo, 'origin.repo'),
  }
  check(read)
  return read
}

/** The tensors that a value case expects. */
export function expectedTensors(expect: Expect): readonly ExpectedTensor[] {
  if (expect.type === 'outputs') return expect.outputs
  return expect.type === 'shape' ? [expect] : []
}

const lacksValues = (given: readonly ExpectedTensor[]): boolean => given.some(({ values }) => values === undefined)

/** What the parts of a case owe each other. */
function check({ kind, form, inputs, attrs: { targetShape, gradOutput }, expect }: Case): void {
  if (form === 'broadcast_to' && inputs.length !== 1) fail('broadcast_to takes one input')
  if (form === 'broadcast_to' && targetShape === undefined) fail('broadcast_to needs attrs.target_shape')
  if (kind !== 'value' && expect.type === 'outputs') fail('outputs are for a value case')
  if ((kind === 'grad_axes') !== (expect.type === 'axes')) fail('reduce_axes are for a grad_axes case')
  if (kind !== 'grad' && expect.type === 'gradients') fail('grads are for a grad case')
  if (kind === 'grad') checkGradient(form, inputs, gradOutput, expect)
  if (kind !== 'value') return
  if (lacksValues(inputs)) fail('a value case has an input without values')
  if (expect.type === 'shapes') fail('a value case expects tensors or an error')
  if (lacksValues(expectedTensors(expect))) fail('a value case expects no values')
}

function checkGradient(
  form: Case['form'],
  inputs: readonly Input[],
  gradOutput: Input | undefined,
  expect: Expect,
): void {
  if (lacksValues(inputs)) fail('a grad case has an input without values')
  if (gradOutput !== undefined && gradOutput.values === undefined) fail('attrs.grad_output has no values')
  if (form === 'broadcast_to' && gradOutput === undefined) fail('a grad case of broadcast_to needs attrs.grad_output')
  if (expect.type === 'error') return
  if (form === 'broadcast_to') {
    if (expect.type !== 'shape' || expect.values === undefined) fail('a grad case of broadcast_to expects a tensor')
    return
  }
  if (expect.type !== 'gradients' || expect.outputs.length !== 1 || expect.grads.length !== inputs.length) {
    fail('a grad case expects its output, and grads, one for each input')
  } else if (lacksValues([...expect.outputs, ...expect.grads])) fail('a grad case expects no values')
}

/** The entries of a file's text, each a case or not; `file` names it in errors. */
export function readCases(text: string, file: string): (Case | Malformed)[] {
  let json: Json
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new BadCallError(`${file} is not JSON: ${(error as Error).message}`)
  }
  if (!Array.isArray(json)) throw new BadCallError(`${file} is not a list of cases`)
  return json.map((entry: Json, i) => {
    try {
      return readCase(entry)
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      const { id } = isObject(entry) ? entry : { id: undefined }
      return { id: typeof id === 'string' ? id : `${file}, entry ${i}`, fault: error.message }
    }
  })
}
