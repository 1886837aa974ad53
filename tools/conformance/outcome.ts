// What a run says about one case, and the errors that stop a run: both the case judge and the ONNX runner speak it.

export type Outcome =
  | { readonly status: 'passed' }
  | { readonly status: 'failed'; readonly expected: string; readonly got: string }

export const passed: Outcome = { status: 'passed' }

export const failed = (expected: string, got: string): Outcome => ({ status: 'failed', expected, got })

/** A call that cannot be carried out: a path that is missing, a file that is no case file. The run exits with 2. */
export class BadCallError extends Error {
  readonly code = 'BAD_CALL'
  constructor(message: string) {
    super(message)
    this.name = 'BadCallError'
  }
}

/** One thing to judge, whatever it was read from. */
export interface Subject {
  readonly id: string
  judge(): Outcome
}
