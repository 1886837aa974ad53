// Why there is no machine code, said so that a sentence can end with it.

/** The first line of what an error says, without its full stop. */
export const reasonOf = (error: unknown): string => (error as Error).message.split('\n')[0]!.replace(/\.$/, '')
