// Kernels as text, read back from their bytes: what tests say about code, they say about the code that runs.
import * as opcodes from '../../src/backend/webassembly/codegen/opcodes.ts'

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

/** Instructions without control, by code, under the specification's names. */
const names = new Map(
  instructions.map(([name, shape, code]) => {
    const [access, kind] = name.split('_')
    return [code, /^\d+$/.test(shape) ? `v128.${access}${shape}_${kind}` : `${shape}.${name}`]
  }),
)

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

class Reader {
  at = 0
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  byte(): number {
    return this.bytes[this.at++]!
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
  if (code === 0xfd0c) return `v128.const ${[...reader.take(16)].join(' ')}`
  if (code === 0xfd0d) return `i8x16.shuffle ${[...reader.take(16)].join(' ')}`
  const name = names.get(code)
  if (name === undefined) throw new Error(`no instruction has the code 0x${code.toString(16)}`)
  let text = name
  if (/\.(load|store)/.test(name)) {
    reader.byte()
    text += ` offset=${reader.unsigned()}`
  }
  return /_lane/.test(name) ? `${text} ${reader.byte()}` : text
}

/** The one function of a module, a line an instruction, indented as it nests. */
export function textOf(module: Uint8Array): string {
  const reader = new Reader(module)
  reader.take(8)
  while (reader.byte() !== 10) reader.take(reader.unsigned())
  reader.unsigned()
  reader.unsigned()
  const end = reader.unsigned() + reader.at
  const lines: string[] = []
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    lines.push(`(local ${reader.unsigned()} ${TYPES[reader.byte()]})`)
  }
  let depth = 0
  // The last byte ends the function.
  while (reader.at < end - 1) {
    const text = instruction(reader)
    if (text === 'end' || text === 'else') depth--
    lines.push('  '.repeat(depth) + text)
    if (['block', 'loop', 'if', 'else'].includes(text)) depth++
  }
  return lines.join('\n')
}
