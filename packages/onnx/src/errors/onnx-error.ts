// The root of every error this package throws about a model: a stable `code` to program against, a text to read.
// docs/errors.md lists the codes; a test keeps the two in step.

/** Every code, with the class that carries it. */
export const onnxErrorCodes = {
  ONNX_DAMAGED: 'DamagedModelError',
  ONNX_LIMIT: 'LimitError',
  ONNX_VERSION: 'VersionError',
  ONNX_TENSOR: 'TensorDataError',
  ONNX_EXTERNAL_DATA: 'ExternalDataError',
  ONNX_UNSUPPORTED: 'UnsupportedError',
  ONNX_ATTRIBUTE: 'AttributeError',
  ONNX_MESSAGE: 'MessageError',
  ONNX_INPUT: 'InputError',
  ONNX_PROFILE: 'ProfileError',
  ONNX_OPSET: 'OpsetError',
  ONNX_STRUCTURE: 'StructureError',
  ONNX_OPERATORS: 'UnsupportedOperatorsError',
  ONNX_RUN_INPUT: 'RunInputError',
  ONNX_NODE: 'NodeError',
  DIM_VALUE: 'DimError',
  DIM_DIVISION_BY_ZERO: 'DimError',
  DIM_UNBOUND: 'DimError',
  DIM_SIZE: 'DimError',
  DIM_SYNTAX: 'DimError',
} as const

/** The stable `code` of an error. */
export type OnnxErrorCode = keyof typeof onnxErrorCodes

/** What every error of the package is; `code` tells which. */
export abstract class OnnxError extends Error {
  abstract readonly code: OnnxErrorCode

  override get name(): string {
    return onnxErrorCodes[this.code]
  }
}
