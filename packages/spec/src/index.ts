// The broadcasting specifications as executable mathematics: slow, obvious, and the measure of everything else.

export { broadcast } from './broadcast.ts'
export {
  type DType,
  dtypes,
  type FloatType,
  floatTypes,
  type IntegerType,
  integerTypes,
  isFloat,
  isInteger,
} from './dtypes.ts'
export type { Enclosure, FunctionArgument } from './enclosure.ts'
export { SpecError, type SpecErrorCode } from './error.ts'
export {
  bitsToNumber,
  exact,
  type FloatFormat,
  floatFormats,
  integerRange,
  isRepresentable,
  largest,
  numberToBits,
  roundNumber,
  roundTo,
  saturate,
  wrap,
} from './formats.ts'
export { correctlyRounded, enclose, ulpError } from './functions.ts'
export { broadcastBackprop, sumToEach } from './grad/adjoint.ts'
export { type PartialDerivative, partials } from './grad/partials.ts'
export { argReduce } from './ops/argReduce.ts'
export { cumSum } from './ops/cumSum.ts'
export { type FunctionCall, functionCall } from './ops/functions.ts'
export { type GemmAttributes, gemm } from './ops/gemm.ts'
export { logSumExp } from './ops/logSumExp.ts'
export { matmul } from './ops/matmul.ts'
export { concat, flip, gather, type PadMode, pad, split, squeeze, stack, tile, unsqueeze } from './ops/move.ts'
export type { ReduceOptions } from './ops/reduce.ts'
export { reduce } from './ops/reductions.ts'
export { scalar } from './ops/scalar.ts'
export { inTree } from './ops/tree.ts'
export type { Attributes, Operator, Value } from './ops/value.ts'
export { compare, type Rational, rational } from './rational.ts'
export { bidirectional } from './rules/bidirectional.ts'
export { type ExplicitOptions, explicit } from './rules/explicit.ts'
export { matmulBatch } from './rules/matmulBatch.ts'
export { ngraphBroadcast, p } from './rules/ngraph.ts'
export { none } from './rules/none.ts'
export { numpy } from './rules/numpy.ts'
export { type OnnxLegacyOptions, onnxLegacy } from './rules/onnxLegacy.ts'
export { openvinoNumpy } from './rules/openvinoNumpy.ts'
export { openvinoPrelu } from './rules/openvinoPrelu.ts'
export { type PaddleOptions, paddle } from './rules/paddle.ts'
export { type PdpdOptions, pdpd } from './rules/pdpd.ts'
export type { IndexMap, Rule, RuleResult } from './rules/result.ts'
export { sonnx, sonnx1, sonnxRecursive, sonnxTypes } from './rules/sonnx.ts'
export { unidirectional } from './rules/unidirectional.ts'
export type { FunctionName } from './special.ts'
export {
  define,
  elementwise,
  fromFlat,
  fromNested,
  type Index,
  indices,
  type Nested,
  type Shape,
  type SpecTensor,
  toFlat,
} from './tensor.ts'
