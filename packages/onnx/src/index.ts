// ONNX models for bcast. Everything public is named here; '@bcast/onnx/proto' has the messages themselves and
// '@bcast/onnx/node' reads files.
export {
  AttributeError,
  DamagedModelError,
  ExternalDataError,
  LimitError,
  MessageError,
  OnnxError,
  type OnnxErrorCode,
  onnxErrorCodes,
  TensorDataError,
  UnsupportedError,
  VersionError,
} from './errors/index.ts'
export { type AttributeKind, Attributes, attributeKind } from './model/attributes.ts'
export { dataTypeOf, dtypeOf, type ElementType, elementTypeOf, isDType, type OnnxDType } from './model/element-type.ts'
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
export { checkStructure, scopesOf } from './structure/check.ts'
export type { Finding, FindingCode } from './structure/finding.ts'
export type { DecodeOptions } from './wire/decode.ts'
