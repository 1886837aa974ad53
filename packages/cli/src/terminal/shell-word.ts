// Commands that messages advise are copied into a shell, so names in them are written as a shell reads them.

/** A text as one word of a shell. */
export const shellWord = (text: string): string =>
  /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
