// Text of files and arguments for a terminal, which must neither obey it nor hide it.

/** Control characters but for tabs and ends of lines, separators of lines, marks of direction, and the byte order mark. */
const HIDDEN = /(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069\ufeff]/gu

/** A message with such characters as JSON writes them, `\u001b`. */
export const visible = (text: string): string =>
  text.replace(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
