// The examples at the end of each command's help: lines that run as printed, each with what it shows. Tests run them all.

export interface Example {
  /** As typed, `bcast explain 2,3,4 3,1`. */
  readonly line: string
  readonly shows: string
}

export const examplesText = (examples: readonly Example[]): string =>
  `\nExamples:\n${examples.map(({ line, shows }) => `  # ${shows}\n  ${line}`).join('\n')}`
