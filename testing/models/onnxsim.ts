// ONNX's own shape inference as a judge: the C++ code, compiled to WebAssembly in the package onnxsim. What it writes
// into a model about a value is compared with what inference here knows of it.
import {
  dimConstant,
  formatDim,
  inferShapes,
  type Known,
  type Model,
  readModel,
  scopesOf,
  type ValueType,
  viewModel,
  writeModel,
} from '@bcast/onnx'
import { ModelProtoSchema, type ValueInfoProto, ValueInfoProtoSchema } from '@bcast/onnx/proto'
import { create } from '@bufbuild/protobuf'
import { simplify } from 'onnxsim'
import { text } from './infer.ts'

/** Everything that changes a model; what is left is inference. */
const passes = [
  ...['adjust_add', 'adjust_slice_and_matmul'],
  ...['common_subexpression', 'consecutive_idempotent_ops', 'deadend', 'duplicate_initializer', 'identity'].map(
    (name) => `eliminate_${name}`,
  ),
  ...['if_with_const_cond', 'reshape_around_elementwise', 'shape_gather', 'shape_op', 'slice_after_shape'].map(
    (name) => `eliminate_${name}`,
  ),
  ...['cast', 'concat', 'dropout', 'expand', 'flatten', 'monotone_argmax', 'pad', 'reshape', 'split', 'transpose'].map(
    (name) => `eliminate_nop_${name}`,
  ),
  ...['eliminate_nop_with_unit', 'eliminate_unused_initializer', 'extract_constant_to_initializer'],
  ...[
    'add_bias_into_conv',
    'bn_into_conv',
    'concat_into_reshape',
    'mul_into_conv',
    'pad_into_conv',
    'pad_into_pool',
  ].map((name) => `fuse_${name}`),
  ...['matmul_add_bias_into_gemm', 'matmul_add_bias_into_gemm_batched', 'preceding_mul_into_conv'].map(
    (name) => `fuse_${name}`,
  ),
  'fuse_transpose_into_gemm',
  ...['concats', 'log_softmax', 'mul', 'reduce_unsqueeze', 'slices', 'squeeze_unsqueeze', 'squeezes'].map(
    (name) => `fuse_consecutive_${name}`,
  ),
  ...['fuse_consecutive_transposes', 'fuse_consecutive_unsqueezes'],
  ...['lift_lexical_references', 'rename_input_output', 'replace_einsum_with_matmul', 'rewrite_input_dtype'],
  ...['rewrite_where', 'set_unique_name_for_nodes', 'split_init', 'split_predict'],
]

/** What it prints is of no use here. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { log, warn, error } = console
  const nothing = (): void => {}
  Object.assign(console, { log: nothing, warn: nothing, error: nothing })
  try {
    return await work()
  } finally {
    Object.assign(console, { log, warn, error })
  }
}

/** The model with what ONNX infers in it; undefined when it refuses. */
export async function inferredByOnnx(model: Pick<Model, 'proto'>): Promise<Model | undefined> {
  try {
    const options = { constantFolding: false, shapeInference: true, skipOptimizers: passes }
    return readModel((await quietly(() => simplify(writeModel(model), options))).model)
  } catch {
    return undefined
  }
}

type Sizes = readonly (number | undefined)[]

const dim = (size: number | undefined) =>
  size === undefined ? {} : { value: { case: 'dimValue' as const, value: BigInt(size) } }

/** A declared tensor with other sizes; undefined leaves one open. */
function declaredAs(value: ValueInfoProto, sizes: Sizes): ValueInfoProto {
  if (value.type?.value.case !== 'tensorType') return value
  const { elemType } = value.type.value.value
  const tensor = { elemType, shape: { dim: sizes.map(dim) } }
  return create(ValueInfoProtoSchema, { name: value.name, type: { value: { case: 'tensorType', value: tensor } } })
}

/** ONNX wants a rank of outputs; their sizes are its to find. */
function opened(value: ValueInfoProto): ValueInfoProto {
  const shape = value.type?.value.case === 'tensorType' ? value.type.value.value.shape : undefined
  return shape === undefined
    ? value
    : declaredAs(
        value,
        shape.dim.map(() => undefined),
      )
}

/** The model without the sizes that it declares of anything but its inputs, and those as given. */
export function bareModel({ proto }: Model, inputs: Readonly<Record<string, readonly number[]>> = {}): Model {
  const graph = proto.graph!
  return viewModel(
    create(ModelProtoSchema, {
      irVersion: proto.irVersion,
      opsetImport: proto.opsetImport,
      functions: proto.functions,
      graph: {
        ...{ name: graph.name, node: graph.node, initializer: graph.initializer },
        input: graph.input.map((value) =>
          Object.hasOwn(inputs, value.name) ? declaredAs(value, inputs[value.name]!) : value,
        ),
        output: graph.output.map(opened),
      },
    }),
  )
}

export interface Disagreement {
  /** Its scope and name. */
  readonly value: string
  readonly ours: string
  readonly onnx: string
}

export interface Compared {
  /** Values that ONNX says something of. */
  values: number
  /** Sizes that both know, as a number or as the symbol of an input, and alike. */
  alike: number
  /** Sizes that ONNX leaves open and inference here does not. */
  more: number
  /** Values of which the two say different things, or ONNX says more. */
  readonly disagreements: Disagreement[]
}

type TensorType = Extract<ValueType, { readonly shape: unknown }>

const sizeText = (size: unknown): string => (typeof size === 'object' ? '?' : String(size))

const typeText = ({ element, shape }: TensorType): string =>
  `${element ?? '?'}(${shape?.map(sizeText).join(', ') ?? '*'})`

/** Whether what is known here says all that ONNX says; counts sizes. */
function covers(known: Known, { element, shape }: TensorType, symbols: ReadonlySet<string>, counts: Compared): boolean {
  if (known.kind !== 'tensor' || (element !== undefined && known.element !== element)) return false
  if (shape === null) return true
  if (known.shape?.length !== shape.length) return false
  return shape.every((size, axis) => {
    const own = known.shape![axis]!
    const isSaid = typeof size === 'number' || (typeof size === 'string' && symbols.has(size))
    if (!isSaid) {
      if (dimConstant(own) !== undefined) counts.more++
      return true
    }
    if (formatDim(own) !== String(size)) return false
    counts.alike++
    return true
  })
}

/** The names of sizes in the inputs. */
const inputSymbols = ({ graph }: Model): Set<string> =>
  new Set(
    graph.inputs.flatMap(({ type }) =>
      type.kind === 'tensor' ? (type.shape ?? []).filter((size) => typeof size === 'string') : [],
    ),
  )

/** What the two say of a model's values; undefined when ONNX refuses the model. */
export async function compareWithOnnx(model: Model): Promise<Compared | undefined> {
  const theirs = await inferredByOnnx(model)
  if (theirs === undefined) return undefined
  const inference = inferShapes(model)
  const scopes = new Map([...scopesOf(model)].map((scope) => [scope.path, scope]))
  const symbols = inputSymbols(model)
  const counts: Compared = { values: 0, alike: 0, more: 0, disagreements: [] }
  for (const { path, valueInfo, outputs } of scopesOf(theirs)) {
    const scope = scopes.get(path)
    // A branch that is never taken is not entered.
    if (scope === undefined || inference.framesOf(scope).length === 0) continue
    for (const { name, type } of [...valueInfo.values(), ...outputs]) {
      if (type.kind !== 'tensor' || !scope.definitions.has(name)) continue
      counts.values++
      const known = inference.valueOf(scope, name)
      if (covers(known, type, symbols, counts)) continue
      counts.disagreements.push({ value: `${path}/${name}`, ours: text(known), onnx: typeText(type) })
    }
  }
  return counts
}
