// Texts of errors are for people: the command line and the ONNX package pass them on whole, and what they want to know of
// an error they read from its fields.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** The text of an error or of an explanation, once casts of types are gone. */
const TEXT = String.raw`(?:\w*(?:error|fault|cause|thrown)\w*\.(?:message|problem)\b|String\(\w*error\)|\x60\$\{explanation\}\x60|explanation\.toString\(\))`

/** Functions that put a text into another error or onto the screen as it is. */
const PASSED_ON = ['shownOn', 'refused', 'damaged', 'without', 'visible', 'painted', 'show', 'super']

const WAYS: Readonly<Record<string, RegExp>> = {
  'asks for a part of it': new RegExp(String.raw`${TEXT}(?:\.|\?\.|\[)`, 'i'),
  'compares it': new RegExp(String.raw`${TEXT}\s*[!=]==|[!=]==\s*${TEXT}`, 'i'),
  'searches it': new RegExp(
    String.raw`\.(?:test|exec|match\w*|search|includes|indexOf|\w+With|localeCompare)\([^()]*${TEXT}`,
    'i',
  ),
  'gives it to a function': new RegExp(
    String.raw`(?<!new )(?<![\w.])(?!(?:${PASSED_ON.join('|')})\()\w+\((?:[^()\n]*, )?${TEXT}`,
    'i',
  ),
}

/** How a source takes the text of an error apart; undefined where it does not. */
function wayOf(source: string): string | undefined {
  const plain = source.replace(/\((\w+) as [\w.]+\)/g, '$1')
  return Object.keys(WAYS).find((way) => WAYS[way]!.test(plain))
}

describe.each(['packages/cli/src', 'packages/onnx/src'])('%s', (folder) => {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )

  it('reads fields of errors, not their texts', () => {
    expect(files.length).toBeGreaterThan(50)
    const found = files.flatMap((file) => {
      const way = wayOf(readFileSync(path.join(root, folder, file), 'utf8'))
      return way === undefined ? [] : [`${file} ${way}`]
    })
    expect(found).toEqual([])
  })
})

describe('the search', () => {
  it.each([
    "error.message.replace(', real', '')",
    '(error as Error).message.split("\\n")',
    'error.message[0]',
    "if (error.message === 'gone') return",
    '/division/.test(error.message)',
    'words.includes((fault as Error).message)',
    'asWritten(error.message, expression)',
    'placed(fault.problem)',
    'String(error).startsWith("x")',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source, not a template.
    '`${explanation}`.split("\\n")',
    'explanation.toString().split("\\n")',
  ])('finds %s', (source) => {
    expect(wayOf(source)).toBeDefined()
  })

  it.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source, not a template.
    '`bcast: ${error.message}\\n`',
    'throw new WantingError(error.message, { cause: error })',
    'const problem = known ?? error.message',
    'refused(error.message)',
    'findings.push({ node, message: error.message })',
    'return explanation.toString({ fixes })',
    'const table = tableOf(row.message!)',
  ])('leaves %s', (source) => {
    expect(wayOf(source)).toBeUndefined()
  })
})
