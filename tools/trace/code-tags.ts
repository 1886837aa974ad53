// Reads the tags of implementing code: a comment that says "@clause" and then the ids it implements.
// Each tag is shown with the declaration it belongs to, never with a line number, so that edits elsewhere
// in the file leave the table as it is.
import { type Token, tokens } from './lex.ts'

interface CodeTag {
  readonly id: string
  /** The declaration below the comment, or the one around it; a comment on a whole file has none. */
  readonly symbol?: string
}

interface CodeTags {
  readonly tags: readonly CodeTag[]
  /** Tags that name no id at all, as written. */
  readonly empty: readonly string[]
}

const id = String.raw`[A-Za-z][\w-]*(?:\.[\w-]+)+`
/** Ids follow separated by commas or spaces, over line ends where a comma stands last. */
const idList = new RegExp(String.raw`^\s*(${id}(?:(?:\s*,\s*|[ \t]+)${id})*)`)
const declaration =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function|class|type|interface)\b[\s*]*([\p{L}_$][\p{L}\p{N}_$]*)/u

const lineStart = (source: string, at: number): number => source.lastIndexOf('\n', at - 1) + 1

/** Comments with their markers taken off; line comments that follow each other are one comment. */
const commentBlocks = (source: string): { text: string; start: number; end: number }[] => {
  const blocks: { text: string; start: number; end: number }[] = []
  let previous: Token | undefined
  for (const token of tokens(source)) {
    const last = blocks.at(-1)
    if (token.kind === 'comment') {
      const text = token.text
        .replace(/^\/\/|^\/\*+|\*\/$/g, '')
        .replace(/\r/g, '')
        .replace(/\n[ \t]*\*/g, '\n')
      const goesOn = previous?.kind === 'comment' && previous.text.startsWith('//') && token.text.startsWith('//')
      if (goesOn && last !== undefined && /^\s*$/.test(source.slice(last.end, token.start))) {
        last.text += `\n${text}`
        last.end = token.end
      } else blocks.push({ text, start: token.start, end: token.end })
    }
    previous = token
  }
  return blocks
}

const symbolOf = (source: string, block: { start: number; end: number }): string | undefined => {
  const before = source.slice(lineStart(source, block.start), block.start)
  if (before === '') {
    const below = source.slice(block.end).replace(/^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/, '')
    return declaration.exec(below)?.[1]
  }
  // Indented or behind code: the declaration around it is the last one that starts a line.
  const above = source.slice(0, block.start).split('\n').reverse()
  for (const line of above) {
    const name = declaration.exec(line)?.[1]
    if (name !== undefined) return name
  }
  return undefined
}

export const codeTags = (source: string): CodeTags => {
  const tags: CodeTag[] = []
  const empty: string[] = []
  for (const block of commentBlocks(source)) {
    const [, ...afterTags] = block.text.split(/@clause\b/)
    if (afterTags.length === 0) continue
    const symbol = symbolOf(source, block)
    for (const after of afterTags) {
      const list = idList.exec(after)?.[1]
      if (list === undefined) empty.push(`@clause${after.split('\n')[0]}`.trim())
      else
        for (const name of list.split(/[\s,]+/)) tags.push(symbol === undefined ? { id: name } : { id: name, symbol })
    }
  }
  return { tags, empty }
}
