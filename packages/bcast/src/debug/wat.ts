// Kernels as WebAssembly's text, read back from their bytes: what tests and pages say about code, they say about the
// code that runs. The text assembles to the same bytes again.
import * as opcodes from '../backend/webassembly/codegen/opcodes.ts'

/** Every code there is: of a constant such as `i32x4_add`, and of a table such as `add`, by type, lanes or bits. */
export const instructions: readonly (readonly [name: string, shape: string, code: number])[] = [
  ...new Map(
    Object.entries(opcodes).flatMap(([name, codes]) => {
      const [shape] = name.split('_', 1) as [string]
      const all: [string, string, number][] =
        typeof codes === 'number'
          ? [[name.slice(shape.length + 1), shape, codes]]
          : Object.entries(codes).map(([own, code]) => [name, own, code])
      return all.map((each) => [each.join(), each] as const)
    }),
  ).values(),
]

/** Lanes of half the width. */
const NARROWER: Readonly<Record<string, string>> = { i16x8: 'i8x16', i32x4: 'i16x8', i64x2: 'i32x4' }

/** The specification's name: tables leave out what their key says. */
function fullName(name: string, shape: string): string {
  const [access, kind] = name.split('_')
  if (/^\d+$/.test(shape)) return `v128.${access}${shape}_${kind}`
  return `${shape}.${name.replace(/^(extend_(?:low|high))_/, `$1_${NARROWER[shape]}_`)}`
}

/** Instructions without control, by code. */
const names = new Map(instructions.map(([name, shape, code]) => [code, fullName(name, shape)]))

const CONTROL: Readonly<Record<number, string>> = { 2: 'block', 3: 'loop', 4: 'if', 5: 'else', 11: 'end' }
const INDEXED: Readonly<Record<number, string>> = {
  12: 'br',
  13: 'br_if',
  16: 'call',
  32: 'local.get',
  33: 'local.set',
  34: 'local.tee',
}
const TYPES: Readonly<Record<number, string>> = { 127: 'i32', 126: 'i64', 125: 'f32', 124: 'f64', 123: 'v128' }

const SECTIONS = { types: 1, imports: 2, functions: 3, exports: 7, code: 10 } as const

class Reader {
  at = 0
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw new RangeError('the module ends too early')
    return byte
  }

  take(count: number): Uint8Array {
    this.at += count
    return this.bytes.subarray(this.at - count, this.at)
  }

  unsigned(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
  }

  signed(): number {
    let value = 0
    for (let shift = 0; ; ) {
      const byte = this.byte()
      value |= (byte & 0x7f) << shift
      shift += 7
      if (byte < 0x80) return shift < 32 && (byte & 0x40) !== 0 ? value | (-1 << shift) : value
    }
  }

  name(): string {
    return String.fromCharCode(...this.take(this.unsigned()))
  }

  many<T>(read: () => T): T[] {
    return Array.from({ length: this.unsigned() }, read)
  }
}

function instruction(reader: Reader): string {
  const first = reader.byte()
  if (CONTROL[first] !== undefined) {
    if (first < 0x05) reader.byte()
    return CONTROL[first]
  }
  if (INDEXED[first] !== undefined) return `${INDEXED[first]} ${reader.unsigned()}`
  if (first === 0x1b) return 'select'
  if (first === 0x41) return `i32.const ${reader.signed()}`
  const code = first < 0xfc ? first : first * 256 + reader.unsigned()
  if (code === 0xfd0c) return `v128.const i8x16 ${[...reader.take(16)].join(' ')}`
  if (code === 0xfd0d) return `i8x16.shuffle ${[...reader.take(16)].join(' ')}`
  const name = names.get(code)
  if (name === undefined) throw new Error(`no instruction has the code 0x${code.toString(16)}`)
  let text = name
  if (/\.(load|store)/.test(name)) {
    const align = 2 ** reader.unsigned()
    text += ` offset=${reader.unsigned()} align=${align}`
  }
  return /_lane/.test(name) ? `${text} ${reader.byte()}` : text
}

/** Types of functions: `(param i32) (result i32)`. */
function functionType(reader: Reader): string {
  reader.byte()
  const list = (word: string): string => {
    const types = reader.many(() => TYPES[reader.byte()])
    return types.length === 0 ? '' : ` (${word} ${types.join(' ')})`
  }
  return `${list('param')}${list('result')}`
}

function importText(reader: Reader, types: readonly string[]): string {
  const from = `"${reader.name()}" "${reader.name()}"`
  if (reader.byte() === 0) return `(import ${from} (func${types[reader.unsigned()]}))`
  const flags = reader.byte()
  const limits = [reader.unsigned(), ...((flags & 1) !== 0 ? [reader.unsigned()] : [])]
  return `(import ${from} (memory ${limits.join(' ')}${(flags & 2) !== 0 ? ' shared' : ''}))`
}

/** The body of the one function, a line an instruction, indented as it nests. */
function bodyLines(reader: Reader): string[] {
  const end = reader.unsigned() + reader.at
  const lines = reader
    .many(() => [reader.unsigned(), TYPES[reader.byte()]!] as const)
    .map(([count, type]) => `(local ${Array.from({ length: count }, () => type).join(' ')})`)
  let depth = 0
  // The last byte ends the function.
  while (reader.at < end - 1) {
    const text = instruction(reader)
    if (text === 'end' || text === 'else') depth--
    lines.push('  '.repeat(depth) + text)
    if (['block', 'loop', 'if', 'else'].includes(text)) depth++
  }
  reader.byte()
  return lines
}

/** The module of a kernel as WebAssembly's text. */
export function kernelText(module: Uint8Array): string {
  const reader = new Reader(module)
  reader.take(8)
  let types: string[] = []
  const lines: string[] = []
  let head = ''
  while (reader.at < module.length) {
    const section = reader.byte()
    reader.unsigned()
    if (section === SECTIONS.types) {
      types = reader.many(() => functionType(reader))
      lines.push(...types.map((type) => `(type (func${type}))`))
    } else if (section === SECTIONS.imports) lines.push(...reader.many(() => importText(reader, types)))
    else if (section === SECTIONS.functions) [head = ''] = reader.many(() => types[reader.unsigned()]!)
    else if (section === SECTIONS.exports) {
      const [name] = reader.many(() => [reader.name(), reader.byte(), reader.unsigned()] as const)[0]!
      lines.push(`(func (export "${name}")${head}`)
    } else if (section === SECTIONS.code) {
      lines.push(
        ...reader
          .many(() => bodyLines(reader))
          .flat()
          .map((line) => `  ${line}`),
      )
    } else throw new Error(`a kernel has no section ${section}`)
  }
  return ['(module', ...lines.map((line) => `  ${line}`), '  )', ')'].join('\n')
}
