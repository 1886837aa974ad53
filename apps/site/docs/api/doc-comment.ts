// A doc comment in its parts: what it says, its parameters, its examples.

export interface Parameter {
  readonly name: string
  readonly text: string
}

export interface DocComment {
  /** In Markdown. */
  readonly text: string
  readonly parameters: readonly Parameter[]
  /** The code of each example. */
  readonly examples: readonly string[]
}

const stripped = (comment: string): string =>
  comment
    .replace(/^\/\*\*\s?/, '')
    .replace(/\s*\*\/$/, '')
    .replace(/^\s*\* ?/gm, '')
    .trim()

export function docComment(comment: string | undefined): DocComment {
  const [text = '', ...tags] = stripped(comment ?? '').split(/^@(?=\w)/m)
  const said = (tag: string): string[] =>
    tags.filter((each) => each.startsWith(tag)).map((each) => each.slice(tag.length).trim())
  return {
    text: text.trim(),
    parameters: said('param').map((each) => {
      const [, name, rest] = /^(\w+)\s*-?\s*([\s\S]*)$/.exec(each)!
      return { name: name!, text: rest! }
    }),
    examples: said('example').map((each) => each.replace(/^```ts\n|\n?```$/g, '')),
  }
}
