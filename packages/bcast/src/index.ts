// bcast: tensor broadcasting, exact, explained. Everything public is named here.

export { configure, type RuntimeOptions } from './backend/backends.ts'
export { type DType, dtypes, type Element, type StorageOf } from './dtype/dtype.ts'
export { type ArrayClass, type DTypeInfo, dtypeInfo } from './dtype/info.ts'
export type { Real } from './dtype/real.ts'
export {
  BcastError,
  BroadcastError,
  DisposedError,
  DivisionByZeroError,
  DTypeError,
  EngineError,
  type ErrorCode,
  errorCodes,
  FormatError,
  IndexError,
  type NoValue,
  OperandError,
  ReadOnlyError,
  RuleError,
  ShapeError,
  type TypedOperand,
  ValueError,
} from './errors/index.ts'
export type { Attribute, Choice, Flag, NumberAttribute } from './expr/attributes.ts'
export type { Placement } from './expr/trace.ts'
export { broadcastBackprop, sumToEach } from './grad/backprop.ts'
export { grad, valueAndGrad } from './grad/grad.ts'
export type {
  Grad,
  Gradient,
  GradOptions,
  Jvp,
  Pullback,
  PullingBack,
  PushingForward,
  ValueAndGrad,
  ValueAndGradient,
  ValueWithGradients,
  ValueWithPullback,
  ValueWithTangent,
  Vjp,
} from './grad/grad-types.ts'
export { jvp } from './grad/jvp.ts'
export { type OpenAxis, reduceAxes, type SummedAxes } from './grad/reduce-axes.ts'
export { sumTo } from './grad/sum-to.ts'
export type { BroadcastBackprop, BroadcastBackpropOptions, SumTo, SumToEach } from './grad/sum-types.ts'
export { vjp } from './grad/vjp.ts'
export { type ArgReduceOptions, argMax, argMin } from './ops/arg-reduce.ts'
export { broadcast, broadcastTo } from './ops/broadcast.ts'
export { broadcastShapes } from './ops/broadcast-shapes.ts'
export { cast, castLike, expand } from './ops/cast.ts'
export { allClose, arrayEqual, type CloseOptions, type EqualOptions, isClose } from './ops/close.ts'
export { arange } from './ops/create/arange.ts'
export { empty } from './ops/create/empty.ts'
export { type EyeOptions, eye } from './ops/create/eye.ts'
export { full, ones, zeros } from './ops/create/fill.ts'
export { type LinspaceOptions, linspace } from './ops/create/linspace.ts'
export type { CreationOptions } from './ops/create/options.ts'
export { type CumSumOptions, cumSum } from './ops/cum-sum.ts'
export { fuse } from './ops/fuse.ts'
export type { Fused, FusedOfMany, FuseOptions, Inferred, Operand, Traced } from './ops/fuse-types.ts'
export { gemm } from './ops/gemm.ts'
export { logSumExp } from './ops/log-sum-exp.ts'
export { matmul } from './ops/matmul.ts'
export { type ConcatOptions, concat, stack } from './ops/move/concat.ts'
export { type PadMode, type PadOptions, type Pads, pad } from './ops/move/pad.ts'
export { gather, type Indices, type TakeOptions, take } from './ops/move/take.ts'
export { tile } from './ops/move/tile.ts'
export * from './ops/operators.ts'
export type {
  BitShiftOptions,
  BroadcastOptions,
  DivOptions,
  ElementwiseOptions,
  GemmOptions,
  ModOptions,
  OutOption,
  TensordotOptions,
} from './ops/options.ts'
export { type NormalOptions, normal } from './ops/random/normal.ts'
export type { DrawOptions } from './ops/random/options.ts'
export { type RandomOptions, RandomStream, random } from './ops/random/stream.ts'
export { type UniformOptions, uniform } from './ops/random/uniform.ts'
export type { ReduceOptions } from './ops/reduce-types.ts'
export { all, any, type NormOptions, norm, prod, sumSquare } from './ops/reductions.ts'
export { Sequence, type SequenceBuilder, type SequencedOperation, sequence } from './ops/sequence.ts'
export { type OperandTypes, type Operator, type OperatorCall, type OperatorName, operators } from './ops/table.ts'
export { tensordot } from './ops/tensordot.ts'
export { asStrided, type Strided } from './ops/views/as-strided.ts'
export { flip } from './ops/views/flip.ts'
export { type MeshgridOptions, meshgrid } from './ops/views/meshgrid.ts'
export { type AxisOption, split } from './ops/views/split.ts'
export { squeeze, unsqueeze } from './ops/views/squeeze.ts'
export type { Axes } from './ops/views/types.ts'
export { slidingWindowView } from './ops/windows.ts'
export type { MemoryPasses } from './plan/passes-text.ts'
export type { Dim, Interval, Shape, SymbolicShape } from './shape/dim.ts'
export { type ExplainOptions, explain } from './shape/explain.ts'
export { Explanation, type PictureLine, type Wording } from './shape/explanation.ts'
export type { Change, Fix } from './shape/fix.ts'
export type { Rule } from './shape/rule.ts'
export type { RuleOption } from './shape/rule-option.ts'
export type {
  AxesMapping,
  AxesMappingOptions,
  BidirectionalRule,
  BroadcastAxesOptions,
  ExplicitRule,
  MatmulBatchRule,
  NoneRule,
  NumpyRule,
  OnnxLegacyOptions,
  OnnxLegacyRule,
  OpenvinoPreluRule,
  PaddleOptions,
  PaddleRule,
  PdpdOptions,
  PdpdRule,
  SonnxRule,
  UnidirectionalRule,
} from './shape/rules/index.ts'
export {
  bidirectional,
  explicit,
  matmulBatch,
  none,
  numpy,
  onnxLegacy,
  openvinoPrelu,
  paddle,
  pdpd,
  sonnx,
  unidirectional,
} from './shape/rules/index.ts'
export { type Condition, conditionsHold, formatConditions, type SizeRef } from './shape/symbolic/condition.ts'
export {
  fromNumpy,
  type NoTranslation,
  type Respelled,
  type Translation,
  toNumpy,
} from './shape/translate.ts'
export { fromData, type TensorOptions, tensor } from './tensor/create.ts'
export { fromJSON } from './tensor/json.ts'
export type { Range } from './tensor/layout.ts'
export { Tensor, type TensorJSON } from './tensor/tensor.ts'
