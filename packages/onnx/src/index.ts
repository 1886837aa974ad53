// ONNX models for bcast. Everything public is named here; '@bcast/onnx/proto' has the messages themselves and
// '@bcast/onnx/node' reads files.

export {
  type Census,
  type CensusCounts,
  type CensusFailure,
  type CensusModel,
  type CensusOperator,
  type CensusSource,
  type CensusStretch,
  type CensusTotals,
  census,
  type OriginCounts,
  type VerdictCounts,
} from './census/census.ts'
export { type CensusJson, censusJson } from './census/json.ts'
export { censusMarkdown } from './census/markdown.ts'
export type { Origin } from './census/origin.ts'
export { type Pattern, patternMeanings, patternsOf } from './census/pattern.ts'
export { censusSvg } from './census/svg.ts'
export { type CensusTextOptions, censusText } from './census/text.ts'
export { type CheckOptions, type CheckReport, checkModel } from './check/check.ts'
export { type FindingId, findingSeverities, type Severity } from './check/codes.ts'
export type { CheckFinding } from './check/finding.ts'
export { applyFix, type ModelEdit, type ModelFix, type Step } from './check/fixes/edit.ts'
export { pictureOf } from './check/picture.ts'
export { type Broadcasting, type OperatorRule, type Profile, type ProfileName, profiles } from './check/profile.ts'
export { type ProfileFile, readProfile } from './check/read-profile.ts'
export {
  type BroadcastJson,
  type FindingJson,
  type NodeJson,
  type OperandJson,
  type ReportJson,
  reportJson,
  type SizeJson,
} from './check/report/json.ts'
export { reportMarkdown } from './check/report/markdown.ts'
export {
  reportSarif,
  type SarifLog,
  type SarifOptions,
  type SarifResult,
  type SarifRule,
} from './check/report/sarif.ts'
export { type ReportTextOptions, reportText, stretchSummary, summaryOf } from './check/report/text.ts'
export { groupFindings, type ToldFinding, type ToldKind } from './check/report/told.ts'
export type { CheckedBroadcast, CheckedOperand, Verdict } from './check/verdict.ts'
export { shapeText } from './check/words.ts'
export {
  type Bound as DimBound,
  bounds as dimBounds,
  constantOf as dimConstant,
  type Dim,
  type DimCondition,
  DimError,
  type DimErrorCode,
  type DimFact,
  evaluate as evaluateDim,
  format as formatDim,
  formatDimConditions,
  type Interval as DimInterval,
  type Meeting,
  type Sizes,
  type SymbolBounds,
  symbolsIn as dimSymbols,
} from './dims/index.ts'
export {
  AttributeError,
  DamagedModelError,
  ExternalDataError,
  InputError,
  type InputProblem,
  LimitError,
  MessageError,
  NodeError,
  type NotRaised,
  OnnxError,
  type OnnxErrorCode,
  OpsetError,
  onnxErrorCodes,
  ProfileError,
  RunInputError,
  StructureError,
  TensorDataError,
  UnsupportedError,
  type UnsupportedOperator,
  UnsupportedOperatorsError,
  VersionError,
} from './errors/index.ts'
export type { RewrittenDefaults } from './explicit/defaults.ts'
export { type Explicit, type ExplicitOptions, makeExplicit } from './explicit/explicit.ts'
export {
  type AddedNodeJson,
  type ExpandedOperandJson,
  type ExplicitJson,
  explicitJson,
  type InlinedBranchJson,
  type KeptNodeJson,
  type LoweredNodeJson,
  type OverruledInputJson,
  type RewrittenNodeJson,
} from './explicit/json.ts'
export type {
  AddedNode,
  ExpandedOperand,
  ExplicitReport,
  ExplicitTotals,
  InlinedBranch,
  KeptNode,
  LoweredNode,
  RewrittenNode,
} from './explicit/report.ts'
export { type ExplicitTextOptions, explicitText } from './explicit/text.ts'
export type { Broadcast, InferenceFinding, Operand } from './infer/context.ts'
export type { Frame } from './infer/frame.ts'
export { type InferOptions, inferShapes } from './infer/infer.ts'
export type { Inference, InferredValue } from './infer/inference.ts'
export type { InputShapes, OverruledInput } from './infer/inputs.ts'
export type { Known, KnownMap, KnownOptional, KnownSequence, KnownTensor, Scalar } from './infer/known.ts'
export { type AttributeKind, Attributes, attributeKind } from './model/attributes.ts'
export { dataTypeOf, dtypeOf, type ElementType, elementTypeOf, isDType, type OnnxDType } from './model/element-type.ts'
export { embedExternalData, externalLocations, hasExternalData } from './model/embed.ts'
export { type ExternalFile, type ExternalFiles, memoryFiles } from './model/external.ts'
export {
  functionOf,
  irVersions,
  type Model,
  readModel,
  readTensorProto,
  viewModel,
  writeModel,
  writeTensorProto,
} from './model/model.ts'
export {
  type Definition,
  declaredType,
  type FunctionBody,
  type Graph,
  type Initializer,
  type Node,
  nodeLabel,
  nodePath,
  type Resolved,
  resolve,
  type Scope,
  type Subgraph,
  type Use,
} from './model/scope.ts'
export { type TensorSource, tensorOf } from './model/tensor-data.ts'
export { tensorProtoOf } from './model/tensor-proto.ts'
export type { Value, ValueType } from './model/value.ts'
export { type SupportedOperator, supportedOperators } from './run/operators/index.ts'
export {
  type Program,
  type ProgramStep,
  prepareModel,
  type RunModel,
  type RunOptions,
  type RunProgram,
  runModel,
  type Tensors,
} from './run/prepare.ts'
export { checkStructure, scopesOf } from './structure/check.ts'
export type { Finding, FindingCode } from './structure/finding.ts'
export type { DecodeOptions } from './wire/decode.ts'
