// A tensor as text, as NumPy's str() writes an array: readers know that form, and a person can compare both by eye.
// Above a thousand elements only the corners are shown, and only they are visited: a broadcast view may be far larger
// than memory.
import { elementCount } from '../shape/dim.ts'
import { floatText, floatTexts, isFloatType } from './float-text.ts'

const lineWidth = 75
const maxElements = 1000
const edge = 3
const ellipsis = '...'

/** Indices shown along one axis; undefined stands for those left out. */
type Shown = readonly (number | undefined)[]

function shownAlong(size: number, summarised: boolean): Shown {
  const count = summarised ? Math.min(size, 2 * edge) : size
  const shown: (number | undefined)[] = Array.from({ length: count }, (_, i) => (i < edge ? i : size - count + i))
  return count < size ? shown.toSpliced(edge, 0, undefined) : shown
}

/** Elements at every shown index, row-major. */
function visit(axes: readonly Shown[], at: (index: readonly number[]) => unknown): unknown[] {
  let indices: number[][] = [[]]
  for (const shown of axes) {
    indices = indices.flatMap((index) => shown.flatMap((i) => (i === undefined ? [] : [[...index, i]])))
  }
  return indices.map(at)
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0)!
  const hex = code.toString(16)
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

/** A string as Python's repr() quotes it: single quotes unless that alone spares an escape; the invisible escaped. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replace(/[\\\p{C}\p{Z}']/gu, (character) => {
    if (character === ' ') return character
    if (character === "'") return mark === "'" ? "\\'" : character
    return escapes[character] ?? escapeCharacter(character)
  })
  return mark + body + mark
}

/** Characters, not UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}

/** Texts of all elements shown; those of numbers share one width. */
function textsOf(dtype: string, elements: readonly unknown[]): string[] {
  if (isFloatType(dtype)) return floatTexts(dtype, elements as number[])
  if (dtype === 'string') return (elements as string[]).map(quote)
  if (dtype === 'bool') return elements.map((element) => (element ? ' True' : 'False'))
  const texts = elements.map(String)
  const width = texts.reduce((max, text) => Math.max(max, text.length), 0)
  return texts.map((text) => text.padStart(width))
}

/** One element without its tensor: no padding, no quotes. */
function scalarText(dtype: string, element: unknown): string {
  if (isFloatType(dtype)) return floatText(dtype, element as number)
  return dtype === 'bool' ? (element ? 'True' : 'False') : String(element)
}

/** The innermost axis: words with spaces between them, a new line where the next word would not fit. */
function row(words: readonly string[], indent: string, width: number): string {
  let lines = ''
  let line = indent
  let length = indent.length
  words.forEach((word, i) => {
    const wordLength = lengthOf(word)
    // A word that is too long for any line stays on the one that it would begin.
    if (length + wordLength > width && length > indent.length) {
      lines += `${line.trimEnd()}\n`
      line = indent
      length = indent.length
    }
    const separator = i < words.length - 1 ? ' ' : ''
    line += word + separator
    length += wordLength + separator.length
  })
  return (lines + line).slice(indent.length)
}

/** Brackets, indentation and line breaks around the texts; every closing bracket takes one column of the line. */
function nest(axes: readonly Shown[], texts: readonly string[]): string {
  let parts = texts
  // From the innermost axis on: what was made of one becomes the parts of the next.
  for (let axis = axes.length - 1; axis >= 0; axis--) {
    const shown = axes[axis]!
    const indent = ' '.repeat(axis + 1)
    const isRow = axis === axes.length - 1
    const between = '\n'.repeat(axes.length - 1 - axis) + indent
    const blocks: string[] = []
    for (let next = 0; next < parts.length; ) {
      const inner = shown.map((i) => (i === undefined ? ellipsis : parts[next++]!))
      blocks.push(`[${isRow ? row(inner, indent, lineWidth - axis - 1) : inner.join(between)}]`)
    }
    parts = blocks
  }
  return parts[0]!
}

/** The text of a tensor whose element at an index is `at(index)`. */
export function printElements(
  dtype: string,
  shape: readonly number[],
  at: (index: readonly number[]) => unknown,
): string {
  if (shape.length === 0) return scalarText(dtype, at([]))
  if (shape.includes(0)) return '[]'
  const size = elementCount(shape)
  const axes = shape.map((length) => shownAlong(length, size > maxElements))
  return nest(axes, textsOf(dtype, visit(axes, at)))
}
