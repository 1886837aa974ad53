// How a symbol's name is written: as it is when it reads as one word, else in quotes. Keys, printing and parsing agree
// on it, so that no name can be mistaken for an expression.

/** The functions of the written form; a symbol of such a name is quoted. */
export const functionNames = ['floor', 'ceil', 'trunc', 'mod', 'max', 'min', 'abs'] as const

export const wordPattern = '[\\p{L}_][\\p{L}\\p{N}_.:]*'

const word = new RegExp(`^${wordPattern}$`, 'u')

export const nameText = (name: string): string =>
  word.test(name) && !functionNames.some((reserved) => reserved === name) ? name : JSON.stringify(name)
