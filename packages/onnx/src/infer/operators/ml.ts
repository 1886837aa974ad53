// Classical machine learning (domain ai.onnx.ml) and training steps: tables of features, one row for each example.
import { constant, type Dim, type DimShape, product, sum } from '../../dims/index.ts'
import { type ElementType, elementTypeOf } from '../../model/element-type.ts'
import type { Call } from '../call.ts'
import { type Known, sequence, tensor } from '../known.ts'
import type { Row } from '../row.ts'

const ML = 'ai.onnx.ml'
const TRAINING = 'ai.onnx.preview.training'

type Infer = Row['infer']

const ml = (name: string, infer: Infer, since = 1): Row => ({ domain: ML, name, since, infer })

const same: Infer = (call) => [tensor(call.element(0), call.shape(0))]

const sameAsFloat: Infer = (call) => [tensor('float32', call.shape(0))]

/** One vector is a table of one row. */
function rowsIn(call: Call, i = 0): Dim {
  const shape = call.ranked(i, 1, 2)
  if (shape === null) return call.fresh('rows')
  return shape.length === 1 ? constant(1) : shape[0]!
}

/** Texts to integers, or integers to texts. */
const swapped: Infer = (call) => {
  const { element, shape } = call.tensor(0)
  const result = element === 'string' ? 'int64' : element === 'int64' ? 'string' : undefined
  return [tensor(result, shape)]
}

const valueTypes: Readonly<Record<string, ElementType>> = {
  values_strings: 'string',
  values_int64s: 'int64',
  values_floats: 'float32',
}

const encoded: Infer = (call) => {
  const { attributes } = call
  const named = Object.keys(valueTypes).find((name) => attributes.has(name))
  const held = attributes.tensor('values_tensor', undefined)
  const element = held === undefined ? valueTypes[named ?? ''] : elementTypeOf(held.dataType)
  return [tensor(element, call.shape(0))]
}

/** Columns picked by their indices; what becomes of a single vector, engines do not agree on. */
const extracted: Infer = (call) => {
  const { element, shape } = call.tensor(0)
  const indices = call.shape(1)
  if (shape === null || shape.length < 2) return [tensor(element, null)]
  return [tensor(element, [...shape.slice(0, -1), indices ? product(indices) : call.fresh('columns')])]
}

const castTypes: Readonly<Record<string, ElementType>> = { TO_FLOAT: 'float32', TO_INT64: 'int64', TO_STRING: 'string' }

const castMap: Infer = (call) => [tensor(castTypes[call.attributes.string('cast_to', 'TO_FLOAT')], null)]

/** The values of a map, in the order of a vocabulary. */
const vectorized: Infer = (call) => {
  const { attributes } = call
  const map = call.input(0)
  const count = attributes.strings('string_vocabulary', []).length || attributes.ints('int64_vocabulary', []).length
  const element = map.kind === 'map' && map.of.kind === 'tensor' ? map.of.element : undefined
  return [tensor(element, [constant(1), constant(count)])]
}

/** Tables side by side. */
const featureVectorizer: Infer = (call) => {
  const said = call.attributes.ints('inputdimensions', [])
  const widths = call.inputs.map((_, i) => call.ranked(i, 1, 2)?.at(-1))
  const known = widths.every((width) => width !== undefined)
  const width = said.length > 0 ? constant(said.reduce((a, b) => a + b, 0)) : undefined
  return [tensor('float32', [rowsIn(call), width ?? (known ? sum(widths as Dim[]) : call.fresh('columns'))])]
}

const oneHotEncoder: Infer = (call) => {
  const { attributes } = call
  const { shape } = call.tensor(0)
  const count = Math.max(attributes.strings('cats_strings', []).length, attributes.ints('cats_int64s', []).length)
  return [tensor('float32', shape && [...shape, constant(count)])]
}

/** The class of each row, and its scores. */
const classified =
  (integers: string, strings: string, count: (call: Call, labels: number) => number | undefined): Infer =>
  (call) => {
    const texts = call.attributes.strings(strings, []).length
    const labels = texts || call.attributes.ints(integers, []).length
    const [rows, width] = [rowsIn(call), count(call, labels)]
    const scores = width === undefined ? call.fresh('classes') : constant(width)
    return [tensor(texts > 0 ? 'string' : 'int64', [rows]), tensor('float32', [rows, scores])]
  }

/** One intercept tells two classes apart. */
function linearClasses({ attributes }: Call, labels: number): number | undefined {
  const intercepts = attributes.floats('intercepts', []).length
  if (intercepts === 1 && labels === 2) return 2
  return intercepts > 1 ? intercepts : undefined
}

const regressed =
  (targets: (call: Call) => number, element: (call: Call) => ElementType | undefined = () => 'float32'): Infer =>
  (call) => [tensor(element(call), [rowsIn(call), constant(targets(call))])]

/** For each row a map from classes to scores. */
const zipMap: Infer = (call) => {
  const key = call.attributes.strings('classlabels_strings', []).length > 0 ? 'string' : 'int64'
  return [sequence({ kind: 'map', key, of: tensor('float32', []) }, rowsIn(call))]
}

const mlRowsOnly: readonly Row[] = [
  ml('Binarizer', same),
  ml('Imputer', same),
  ml('Normalizer', sameAsFloat),
  ml('Scaler', sameAsFloat),
  ml('CategoryMapper', swapped),
  ml('LabelEncoder', swapped),
  ml('LabelEncoder', encoded, 2),
  ml('ArrayFeatureExtractor', extracted),
  ml('CastMap', castMap),
  ml('DictVectorizer', vectorized),
  ml('FeatureVectorizer', featureVectorizer),
  ml('OneHotEncoder', oneHotEncoder),
  ml('LinearClassifier', classified('classlabels_ints', 'classlabels_strings', linearClasses)),
  // How many scores there are depends on what else the machine holds.
  ml(
    'SVMClassifier',
    classified('classlabels_ints', 'classlabels_strings', () => undefined),
  ),
  ml(
    'TreeEnsembleClassifier',
    classified('classlabels_int64s', 'classlabels_strings', (_, labels) => (labels > 1 ? labels : undefined)),
  ),
  ml(
    'LinearRegressor',
    regressed(({ attributes }) => attributes.int('targets', 1)),
  ),
  ml(
    'SVMRegressor',
    regressed(() => 1),
  ),
  ml(
    'TreeEnsembleRegressor',
    regressed(({ attributes }) => attributes.int('n_targets')),
  ),
  ml(
    'TreeEnsemble',
    regressed(
      ({ attributes }) => attributes.int('n_targets'),
      (call) => call.element(0),
    ),
    5,
  ),
  ml('ZipMap', zipMap),
]

const shapeLike = (call: Call, i: number): Known => {
  const shape: DimShape = call.shape(i)
  return tensor(call.element(i), shape)
}

/** A training step takes the rate, the count of updates, then tensors, gradients and states, and renews all but gradients. */
const stepped =
  (states: number): Infer =>
  (call) => {
    const count = (call.inputs.length - 2) / (2 + states)
    if (!Number.isInteger(count)) return call.fail(`${call.inputs.length} inputs are not complete sets.`)
    const renewed = [0, ...Array.from({ length: states }, (_, i) => i + 2)]
    return renewed.flatMap((part) => Array.from({ length: count }, (_, i) => shapeLike(call, 2 + part * count + i)))
  }

/** One derivative for each name in `xs`, whose values are the first inputs. */
const gradient: Infer = (call) => call.attributes.strings('xs').map((_, i) => shapeLike(call, i))

const trainingRows: readonly Row[] = [
  { domain: TRAINING, name: 'Adagrad', infer: stepped(1) },
  { domain: TRAINING, name: 'Momentum', infer: stepped(1) },
  { domain: TRAINING, name: 'Adam', infer: stepped(2) },
  { domain: TRAINING, name: 'Gradient', infer: gradient },
]

export const mlRows: readonly Row[] = [...mlRowsOnly, ...trainingRows]
