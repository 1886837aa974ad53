// A model whose names and order are broken, so that nobody can say what it computes.
import { OnnxError } from './onnx-error.ts'

/** Findings that the message tells; `findings` has all of them. */
const TOLD = 5

/** A model whose names and order are broken, so that nobody can say what it computes. */
export class StructureError extends OnnxError {
  readonly code = 'ONNX_STRUCTURE'
  /** What `checkStructure` found, as text. */
  readonly findings: readonly string[]

  constructor(findings: readonly string[]) {
    const more = findings.length > TOLD ? ` There are ${findings.length - TOLD} more findings.` : ''
    super(`the model is broken: ${findings.slice(0, TOLD).join(' ')}${more}`)
    this.findings = findings
  }
}
