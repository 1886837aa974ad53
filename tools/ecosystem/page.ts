// docs/bundlers.md as the tests read it: files and commands of a section, headers by their names. A recipe that is not
// on the page cannot be tested, and one that is wrong there fails.
import { readFileSync } from 'node:fs'

const text = readFileSync(new URL('../../docs/bundlers.md', import.meta.url), 'utf8')

interface Section {
  /** Text of each file by its name. */
  readonly files: ReadonlyMap<string, string>
  readonly commands: readonly string[]
}

/** Blocks of a part of the page, with what stands behind the opening fence. */
const blocksOf = (part: string): (readonly [about: string, code: string])[] =>
  [...part.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(([, about, code]) => [about!, code!])

/** What the page says under a heading; all recipes share the program and the page under the first. */
export function section(title: string): Section {
  const part = text.split(/^## /m).find((each) => each.startsWith(`${title}\n`))
  if (part === undefined) throw new Error(`docs/bundlers.md has no section "${title}"`)
  const blocks = blocksOf(part)
  const files = blocks.flatMap(([about, code]) => {
    const name = /^(?:js|html) (\S+)$/.exec(about)?.[1]
    return name === undefined ? [] : [[name, code] as const]
  })
  const commands = blocks.flatMap(([about, code]) => (about === 'sh' ? code.trim().split('\n') : []))
  return { files: new Map(files), commands }
}

export type Headers = Readonly<Record<string, string>>

/** Headers that the page names. */
export function headers(name: 'isolated' | 'policy'): Headers {
  const found = blocksOf(text).find(([about]) => about === `http ${name}`)
  if (found === undefined) throw new Error(`docs/bundlers.md has no headers "${name}"`)
  return Object.fromEntries(
    found[1]
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
}
