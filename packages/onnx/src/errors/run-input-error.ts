// Tensors given to a run that are not those the model takes: all that is wrong with them, at once.
import { OnnxError } from './onnx-error.ts'

/** What is wrong with one input of a run. */
export interface InputProblem {
  /** The name of the input, as the model has it or as it was given. */
  readonly input: string
  readonly problem: 'missing' | 'unknown' | 'no-tensor' | 'dtype' | 'shape'
  /** What was given, what was expected. */
  readonly message: string
}

/** Tensors that are not what a model takes. */
export class RunInputError extends OnnxError {
  readonly code = 'ONNX_RUN_INPUT'
  readonly problems: readonly InputProblem[]

  constructor(problems: readonly InputProblem[]) {
    const lines = problems.map(({ input, message }) => `input ${JSON.stringify(input)} ${message}`)
    super(lines.length === 1 ? lines[0] : `the inputs are not those of the model:\n  ${lines.join('\n  ')}`)
    this.problems = problems
  }
}
