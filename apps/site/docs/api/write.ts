// A page of the reference: every name with how it is called, what it does, an example that opens in the playground, and
// its declaration as the source has it.
import * as bcast from 'bcast'
import type { ExportedName } from '../../../../tools/docs/exported-names.ts'
import { escaped } from '../escape.ts'
import { highlighted } from '../highlight.ts'
import { codeBox, codeHtml, type Heading, type SearchedPart, writeMarkdown } from '../markdown.ts'
import { repository, root } from '../repository.ts'
import { playgroundLink } from '../tokens.ts'
import { type Declaration, declarationOf, typeSeenFrom } from './declarations.ts'
import { docComment } from './doc-comment.ts'
import { type ApiPage, linkFrom } from './entries.ts'
import { exampleState } from './example-link.ts'
import { callHtml, factsHtml, operatorHtml } from './operator-facts.ts'

export interface WrittenApi {
  readonly html: string
  readonly title: string
  readonly description: string
  readonly headings: readonly Heading[]
  readonly parts: readonly SearchedPart[]
}

type NameLink = (name: string) => string | undefined

/** Declarations with links from the types that they name. */
function declarationHtml(text: string, own: string, nameLink: NameLink): string {
  const linked = highlighted(text, 'ts').replace(/(<[^>]*>)|\b([A-Z]\w+)\b/g, (whole, tag, name) => {
    const address = tag !== undefined || name === own ? undefined : nameLink(name)
    return address === undefined ? whole : `<a href="${address}">${name}</a>`
  })
  return codeBox(linked, 'ts')
}

function examplesHtml(examples: readonly string[], entry: string): string {
  return examples
    .map((example) => {
      const state = entry === 'bcast' ? exampleState(example) : undefined
      return codeHtml(example, 'ts') + (state === undefined ? '' : playgroundLink(state))
    })
    .join('')
}

/** What a caller may use of a class. Overloads share a name: the first one has the anchor. */
function membersHtml(owner: string, { members }: Declaration, nameLink: NameLink, source: string): string {
  return members
    .map(({ name, text, doc }, i) => {
      const said = docComment(doc)
      const isFirst = members.findIndex((other) => other.name === name) === i
      const prose = said.text === '' ? '' : writeMarkdown(source, said.text, { nameLink }).html
      const examples = said.examples.map((example) => codeHtml(example, 'ts')).join('')
      const id = isFirst ? ` id="${owner}.${name}"` : ''
      return `<div class="member"${id}>${declarationHtml(text, owner, nameLink)}${prose}${examples}</div>\n`
    })
    .join('')
}

/** The declaration; that of a function, which types make long, is there for who opens it. */
function shownDeclaration(name: ExportedName, declaration: Declaration, isCalled: boolean, nameLink: NameLink): string {
  const { kind, text, typeName } = declaration
  const isHidden = typeName !== undefined && nameLink(typeName) === undefined
  const type = isHidden ? typeSeenFrom(name.file, typeName) : undefined
  const html = declarationHtml(type === undefined ? text : `${text}\n\n${type.text}`, name.name, nameLink)
  const isShown = !isCalled && (kind !== 'const' || type === undefined)
  return isShown
    ? html
    : `<details><summary>Declaration<span class="unseen"> of ${name.name}</span></summary>${html}</details>\n`
}

/** Most functions of the library are constants, made from rows. */
function kindOf(name: string, entry: string, { kind }: Declaration): string {
  if (kind !== 'const' || entry !== 'bcast') return kind
  if (Object.hasOwn(bcast.operators, name)) return 'operator'
  return typeof (bcast as Readonly<Record<string, unknown>>)[name] === 'function' ? 'function' : 'const'
}

function nameHtml(name: ExportedName, entry: string, nameLink: NameLink): string {
  const source = name.file.slice(root.length)
  const declaration = declarationOf(name)
  const said = docComment(name.doc)
  const others: NameLink = (other) => (other === name.name ? undefined : nameLink(other))
  const operator = entry === 'bcast' ? operatorHtml(name.name, nameLink) : undefined
  const calls = operator?.call ?? declaration.calls.map(callHtml).join('')
  return [
    `<section class="entry"><h2 id="${name.name}"><code>${name.name}</code> <span class="kind">${kindOf(name.name, entry, declaration)}</span>`,
    ` <a class="anchor" href="#${name.name}" aria-label="Link to ${name.name}">#</a></h2>\n`,
    calls,
    writeMarkdown(source, said.text, { nameLink: others }).html,
    factsHtml(said.parameters.map(({ name: own, text }) => [`<code>${own}</code>`, escaped(text)])),
    examplesHtml(said.examples, entry),
    operator?.facts ?? '',
    shownDeclaration(name, declaration, calls !== '', nameLink),
    membersHtml(name.name, declaration, others, source),
    `<p class="source"><a href="${repository}/blob/main/${source}#L${name.line}">Source<span class="unseen"> of ${name.name}</span></a></p></section>\n`,
  ].join('')
}

/** What examples about models are about. */
const EXAMPLE_MODEL = `<p>In examples <code>bytes</code> is the file of a model whose node "shift" adds a bias of (3) to x of (N,3,8,8), which does not fit, and <code>model</code> is <code>readModel(bytes)</code>.</p>\n`

export function writeApi({ title, entry, names }: ApiPage): WrittenApi {
  const nameLink = linkFrom(entry)
  const whole = title === entry ? title : `${entry}: ${title.toLowerCase()}`
  const isType = (name: ExportedName): boolean => ['interface', 'type'].includes(declarationOf(name).kind)
  const [values, types] = [names.filter((name) => !isType(name)), names.filter(isType)]
  const lists = [values, types]
    .filter((some) => some.length > 0)
    .map((some) => `<p>${some.map(({ name }) => `<a href="#${name}"><code>${name}</code></a>`).join(' ')}</p>`)
  const html = [
    `<h1>${whole}</h1>\n`,
    `<p>What <code>import { … } from '${entry}'</code> gives, from the declarations themselves.</p>\n`,
    entry === '@bcast/onnx' ? EXAMPLE_MODEL : '',
    `<nav class="names" aria-label="Names on this page">${lists.join('')}</nav>\n`,
    ...[...values, ...types].map((name) => nameHtml(name, entry, nameLink)),
  ]
  const some = names.slice(0, 12).map(({ name }) => name)
  return {
    html: html.join(''),
    title: whole,
    description: `Reference of ${entry}: ${some.join(', ')}${names.length > some.length ? ' and more' : ''}, with signatures and examples.`,
    headings: [],
    parts: names.map(({ name, doc }) => ({ id: name, title: name, text: docComment(doc).text })),
  }
}
