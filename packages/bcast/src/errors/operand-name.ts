// How texts call an operand: every sentence about one, and the picture above it, use the same letter.

/** `A`, `B`, … as the documents call operands; beyond `Z` by number. */
export const operandName = (operand: number): string =>
  operand < 26 ? String.fromCharCode(65 + operand) : `operand ${operand}`
