// Code with its words in classes: the policy of the page allows no style of an element's own, and colours follow the
// palette of the theme.
import { createCssVariablesTheme, createHighlighter } from 'shiki'
import { escaped } from './escape.ts'

const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '--', fontStyle: false })

/** Languages by what fences call them; whatever else stands there is shown as it is. */
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  js: 'javascript',
  json: 'json',
  jsonc: 'jsonc',
  sh: 'shellscript',
  html: 'html',
  toml: 'toml',
  python: 'python',
}

const highlighter = await createHighlighter({ themes: [theme], langs: [...new Set(Object.values(LANGUAGES))] })

/** `var(--token-string-expression)` as `t-string-expression`; undefined for what has the colour of text. */
const classOf = (colour: string | undefined): string | undefined => {
  const name = /^var\(--token-([\w-]+)\)$/.exec(colour ?? '')?.[1]
  return name === undefined || name === 'punctuation' ? undefined : `t-${name}`
}

/** The inside of a code element. A fence may say more behind the language: `ts refused`. */
export function highlighted(code: string, info: string): string {
  const lang = LANGUAGES[info.split(' ')[0]!]
  if (lang === undefined) return escaped(code)
  return highlighter
    .codeToTokensBase(code.replace(/\n$/, ''), { lang: lang as 'typescript', theme })
    .map((line) =>
      line
        .map(({ content, color }) => {
          const name = classOf(color)
          return name === undefined ? escaped(content) : `<span class="${name}">${escaped(content)}</span>`
        })
        .join(''),
    )
    .join('\n')
}
