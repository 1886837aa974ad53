// The declarations of exported names, read from the sources. Every export declares its type (isolatedDeclarations), so
// that the syntax alone says all: no second compiler is needed beside the one that has no interface for programs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import type { ExportedName } from '../../../../tools/docs/exported-names.ts'

/** A part of a syntax tree. */
interface Syntax {
  readonly type: string
  readonly start: number
  readonly end: number
  // biome-ignore lint/suspicious/noExplicitAny: nodes differ by their types, of which a few are looked at
  readonly [key: string]: any
}

export interface Member {
  readonly name: string
  readonly text: string
  readonly doc: string | undefined
}

export interface Declaration {
  readonly kind: 'function' | 'const' | 'class' | 'interface' | 'type'
  /** As the source writes it, without bodies and values. */
  readonly text: string
  /** Of a function: how it is called, by the names of its parameters. */
  readonly calls: readonly string[]
  /** Of a class: what a caller may use. */
  readonly members: readonly Member[]
  /** The type that a constant is declared to have, where it is a name. */
  readonly typeName: string | undefined
}

interface Source {
  readonly text: string
  readonly statements: readonly Syntax[]
  readonly imports: readonly Syntax[]
}

const sources = new Map<string, Source>()

function sourceOf(file: string): Source {
  const known = sources.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8')
  const body = parseSync(file, text).program.body as unknown as readonly Syntax[]
  const statements = body.map((each) => (each.type === 'ExportNamedDeclaration' ? (each['declaration'] ?? each) : each))
  const read = { text, statements, imports: body.filter(({ type }) => type === 'ImportDeclaration') }
  sources.set(file, read)
  return read
}

const nameOf = (node: Syntax): string | undefined =>
  node.type === 'VariableDeclaration' ? node['declarations'][0].id.name : node['id']?.name

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

/** The doc comment that ends where something begins. */
const docBefore = (text: string, at: number): string | undefined =>
  /\/\*\*(?:(?!\*\/)[\s\S])*\*\/(?=(?:\s|\/\/[^\n]*\n)*$)/.exec(text.slice(0, at))?.[0]

/** Lines of a part of the source without the indentation they have there. */
const dedented = (text: string): string => text.trim().replaceAll('\n  ', '\n')

function membersOf({ text }: Source, node: Syntax): Member[] {
  return (node['body'].body as readonly Syntax[]).flatMap((member): Member[] => {
    const { key, accessibility, value } = member
    const doc = docBefore(text, member.start)
    const isHidden = key?.type === 'PrivateIdentifier' || accessibility === 'private' || doc?.includes('@internal')
    if (key === undefined || isHidden || member['computed']) return []
    const isSame = (other: Syntax): boolean => other['key']?.type === key.type && other['key'].name === key.name
    const overloads = (node['body'].body as readonly Syntax[]).filter(isSame)
    // The last one of several has the body, and callers do not see it.
    if (overloads.length > 1 && value?.body) return []
    const isMethod = member.type.endsWith('MethodDefinition')
    const end = isMethod
      ? (value.body?.start ?? member.end)
      : value === null || value === undefined
        ? member.end
        : value.start
    const own = text.slice(member.start, end).replace(/\s*=\s*$/, '')
    return [{ name: key.name, text: dedented(own.replace(/;$/, '')), doc }]
  })
}

function kindOf({ type }: Syntax): Declaration['kind'] {
  if (type === 'VariableDeclaration') return 'const'
  if (type === 'ClassDeclaration') return 'class'
  if (type === 'TSInterfaceDeclaration') return 'interface'
  return type === 'TSTypeAliasDeclaration' ? 'type' : 'function'
}

/** `name(a, b?, ...rest)` */
function callOf(name: string, params: readonly Syntax[]): string {
  const words = params.flatMap((param) => {
    if (param.type === 'RestElement') return [`...${param['argument'].name}`]
    const own = param.type === 'AssignmentPattern' ? param['left'] : param
    const isOptional = param.type === 'AssignmentPattern' || own.optional === true
    return own.name === 'this' ? [] : [`${own.name ?? 'options'}${isOptional ? '?' : ''}`]
  })
  return `${name}(${words.join(', ')})`
}

/** What a constant is declared to be, or is taken for with `as`. */
function typeOf(node: Syntax): Syntax | undefined {
  if (node.type !== 'VariableDeclaration') return undefined
  const { id, init } = node['declarations'][0]
  return id.typeAnnotation?.typeAnnotation ?? (init?.type === 'TSAsExpression' ? init.typeAnnotation : undefined)
}

/** The name of a type; of one that is several at once, of the first. */
const typeNameOf = (type: Syntax | undefined): string | undefined =>
  type?.type === 'TSIntersectionType' ? typeNameOf(type['types'][0]) : type?.['typeName']?.name

const MOST_VALUE = 120

function textOf({ text }: Source, node: Syntax, all: readonly Syntax[]): string {
  const kind = kindOf(node)
  if (kind === 'function')
    return all.map((each) => text.slice(each.start, each['body']?.start ?? each.end).trim()).join('\n')
  if (kind === 'class') return text.slice(node.start, node['body'].start).trim()
  if (kind !== 'const') return text.slice(node.start, node.end)
  const { id, init } = node['declarations'][0]
  const type = typeOf(node)
  if (type !== undefined) return `const ${id.name}: ${text.slice(type.start, type.end)}`
  const given = text.slice(init.start, init.end)
  return `const ${id.name}${given.length > MOST_VALUE ? '' : ` = ${given}`}`
}

function declared(source: Source, node: Syntax): Declaration {
  const name = nameOf(node)
  const isFunction = kindOf(node) === 'function'
  const alike = isFunction ? source.statements.filter((each) => nameOf(each) === name) : [node]
  // The last one of several has the body, and callers do not see it.
  const all = alike.length > 1 ? alike.filter(({ body }) => body === null || body === undefined) : alike
  return {
    kind: kindOf(node),
    text: textOf(source, node, all),
    calls: isFunction ? [...new Set(all.map(({ params }) => callOf(name!, params)))] : [],
    members: node.type === 'ClassDeclaration' ? membersOf(source, node) : [],
    typeName: typeNameOf(typeOf(node)),
  }
}

/** What an exported name is declared to be. */
export function declarationOf({ name, file, line }: ExportedName): Declaration {
  const source = sourceOf(file)
  const node = source.statements.find(({ start }) => lineOf(source.text, start) === line)
  if (node === undefined) throw new Error(`${name} is not declared on line ${line} of ${file}`)
  return declared(source, node)
}

/** A type by the name that a file has for it, from there or from where it imports it; undefined where it is no file's. */
export function typeSeenFrom(file: string, name: string): Declaration | undefined {
  const source = sourceOf(file)
  const own = source.statements.find((node) => nameOf(node) === name && /^TS/.test(node.type))
  if (own !== undefined) return declared(source, own)
  for (const { specifiers, source: from } of source.imports) {
    const specifier = specifiers.find(({ local }: Syntax) => local.name === name)
    if (specifier !== undefined && from.value.startsWith('.'))
      return typeSeenFrom(join(file, '..', from.value), specifier.imported.name)
  }
  return undefined
}
