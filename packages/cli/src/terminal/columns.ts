// How many columns of a terminal a text takes: letters of East Asia and pictures take two, marks upon letters none.
const NONE = /[\p{Mn}\p{Me}]/u
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u

const columnsOf = (character: string): number => (NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1)

/** Columns of characters that can be printed. */
export const columns = (characters: Iterable<string>): number =>
  [...characters].reduce((sum, character) => sum + columnsOf(character), 0)
