// A module with one exported function, `run(i32) -> i32`, over an imported memory. It also imports the remainder of
// floats, which WebAssembly lacks.
import { Bytes } from './assembler.ts'

const I32 = 0x7f
const F64 = 0x7c

export interface MemoryLimits {
  /** Shared between threads; such a memory must name its largest size. */
  readonly shared: boolean
  /** In pages of 64 KiB. */
  readonly maximum: number
}

const section = (to: Bytes, id: number, content: Uint8Array): Bytes =>
  to.byte(id).unsigned(content.length).append(content)

const name = (to: Bytes, text: string): Bytes => {
  to.unsigned(text.length)
  for (const character of text) to.byte(character.charCodeAt(0))
  return to
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values)

function imports({ shared, maximum }: MemoryLimits): Uint8Array {
  const to = new Bytes().byte(2)
  name(name(to, 'bcast'), 'memory')
    .byte(2)
    .byte(shared ? 3 : 0)
    .byte(0)
  if (shared) to.unsigned(maximum)
  return name(name(to, 'bcast'), 'remainder').byte(0).byte(1).written
}

/** The module of a function's body. */
export function wasmModule(body: Uint8Array, memory: MemoryLimits): Uint8Array {
  const to = new Bytes().append(bytes(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0))
  section(to, 1, bytes(2, 0x60, 1, I32, 1, I32, 0x60, 2, F64, F64, 1, F64))
  section(to, 2, imports(memory))
  section(to, 3, bytes(1, 0))
  // The imported function is number 0, the exported one number 1.
  section(to, 7, name(new Bytes().byte(1), 'run').byte(0).byte(1).written)
  section(to, 10, new Bytes().byte(1).unsigned(body.length).append(body).written)
  return to.written.slice()
}
