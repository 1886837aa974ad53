// A model of an IR version that says too little to be understood.
import { OnnxError } from './onnx-error.ts'

/** A model of an IR version that says too little to be understood. */
export class VersionError extends OnnxError {
  readonly code = 'ONNX_VERSION'
  /** As the file has it; undefined when it has none. */
  readonly irVersion: bigint | undefined

  constructor(message: string, irVersion: bigint | undefined) {
    super(message)
    this.irVersion = irVersion
  }
}
