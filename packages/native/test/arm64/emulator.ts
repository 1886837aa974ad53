// Runs machine code of AArch64 in a process of its own: by qemu, or by the processor where it is one. The program is made
// here: an ELF file of harness.s, the code, what is copied into memory, and a list of what is to be done.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { TOOLS } from './gnu-as.ts'

const EMULATOR = 'qemu-aarch64-static'

/** Whether code can be run here. */
export const canRun: boolean =
  process.platform === 'linux' && (process.arch === 'arm64' || spawnSync(EMULATOR, ['--version']).status === 0)

const PAGE = 4096
// Close to each other, because qemu takes longer the more lies between them; blocks beyond what 32 bits tell.
const CODE = 0x400000n
const STATE = 0x10000000n
const LIST = 0x20000000n
const DATA = 0x40000000n
const BLOCKS = 0x100000000n

/** Bytes of a block, before and behind which nobody may read or write. */
export const BLOCK: number = 1 << 19
const APART = 1 << 20

/** How many blocks there are. */
export const BLOCK_COUNT = 8

/** Where a block begins. */
export const blockAt = (i: number): bigint => BLOCKS + BigInt(i) * BigInt(APART)

/** The address that kernels count the place of their parameters from: that of the first block. */
export const BASE: bigint = BLOCKS

/** Bytes and where they lie. */
export interface Memory {
  readonly at: bigint
  readonly bytes: Uint8Array
}

/** A call of code, what has to be in memory before, and what is wanted of it after. */
export interface Call {
  readonly code: Uint8Array
  /** Given in 32 bits. */
  readonly argument: number
  readonly before: readonly Memory[]
  readonly wanted: { readonly at: bigint; readonly length: number }
}

export interface Answer {
  readonly result: number
  readonly bytes: Uint8Array
}

interface Segment {
  readonly at: bigint
  readonly bytes: Uint8Array
  readonly room?: number
  /** 4: read, 2: write, 1: execute. */
  readonly flags: number
}

/** A file of segments, the first of which begins where the program does. */
function elf(segments: readonly Segment[]): Uint8Array {
  const header = 64 + 56 * segments.length
  const starts: number[] = []
  let end = Math.ceil(header / PAGE) * PAGE
  for (const { bytes } of segments) {
    starts.push(end)
    end += Math.ceil(bytes.length / PAGE) * PAGE
  }
  const file = new Uint8Array(end)
  const view = new DataView(file.buffer)
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  view.setUint16(16, 2, true)
  view.setUint16(18, 183, true)
  view.setUint32(20, 1, true)
  view.setBigUint64(24, segments[0]!.at, true)
  view.setBigUint64(32, 64n, true)
  view.setUint16(52, 64, true)
  view.setUint16(54, 56, true)
  view.setUint16(56, segments.length, true)
  for (const [i, { at, bytes, room = bytes.length, flags }] of segments.entries()) {
    const entry = 64 + 56 * i
    view.setUint32(entry, 1, true)
    view.setUint32(entry + 4, flags, true)
    view.setBigUint64(entry + 8, BigInt(starts[i]!), true)
    view.setBigUint64(entry + 16, at, true)
    view.setBigUint64(entry + 24, at, true)
    view.setBigUint64(entry + 32, BigInt(bytes.length), true)
    view.setBigUint64(entry + 40, BigInt(room), true)
    view.setBigUint64(entry + 48, BigInt(PAGE), true)
    file.set(bytes, starts[i]!)
  }
  return file
}

/** Puts bytes one behind the other. */
class Pile {
  readonly #parts: Uint8Array[] = []
  #end: number

  constructor(start = 0) {
    this.#end = start
  }

  /** Where they begin. */
  add(bytes: Uint8Array): number {
    const at = this.#end
    const padded = new Uint8Array(Math.ceil(bytes.length / 16) * 16)
    padded.set(bytes)
    this.#parts.push(padded)
    this.#end += padded.length
    return at
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#parts)
  }
}

let harnessCode: Uint8Array | undefined

/** The machine code of harness.s. */
function harness(folder: string): Uint8Array {
  harnessCode ??= assembledHarness(folder)
  return harnessCode
}

function assembledHarness(folder: string): Uint8Array {
  const [object, linked, binary] = ['o', 'elf', 'bin'].map((end) => path.join(folder, `harness.${end}`)) as [
    string,
    string,
    string,
  ]
  execFileSync(`${TOOLS}as`, [fileURLToPath(new URL('harness.s', import.meta.url)), '-o', object])
  execFileSync(`${TOOLS}ld`, [object, '-o', linked])
  execFileSync(`${TOOLS}objcopy`, ['-O', 'binary', '-j', '.text', linked, binary])
  return readFileSync(binary)
}

/** Makes all calls in one process, one after the other, beside memories that are apart from all blocks. */
export function runAll(calls: readonly Call[], memories: readonly Memory[] = []): readonly Answer[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'bcast-arm64-'))
  try {
    const [code, data] = [new Pile(), new Pile()]
    code.add(harness(folder))
    const list: bigint[] = []
    const result = STATE + 64n
    for (const call of calls) {
      const at = CODE + BigInt(code.add(call.code))
      for (const { at: to, bytes } of call.before) {
        list.push(1n, DATA + BigInt(data.add(bytes)), to, BigInt(bytes.length))
      }
      list.push(3n, at, BigInt(call.argument), result)
      list.push(4n, result, 8n, 0n, 4n, call.wanted.at, BigInt(call.wanted.length), 0n)
    }
    list.push(0n, 0n, 0n, 0n)
    const nothing = new Uint8Array(0)
    const blocks = Array.from(
      { length: BLOCK_COUNT },
      (_, i): Segment => ({ at: blockAt(i), bytes: nothing, room: BLOCK, flags: 6 }),
    )
    const program = path.join(folder, 'program')
    writeFileSync(
      program,
      elf([
        { at: CODE, bytes: code.bytes, flags: 5 },
        { at: STATE, bytes: nothing, room: PAGE, flags: 6 },
        { at: LIST, bytes: new Uint8Array(BigUint64Array.from(list).buffer), flags: 4 },
        { at: DATA, bytes: data.bytes, flags: 4 },
        ...blocks,
        ...memories.map((memory): Segment => ({ ...memory, flags: 6 })),
      ]),
    )
    chmodSync(program, 0o700)
    const [command, given] = process.arch === 'arm64' ? [program, []] : [EMULATOR, [program]]
    const { stdout, status, signal } = spawnSync(command, given, { maxBuffer: 1 << 30 })
    const answers: Answer[] = []
    let at = 0
    for (const { wanted } of calls) {
      if (at + 8 + wanted.length > stdout.length) break
      const bytes = stdout.subarray(at + 8, at + 8 + wanted.length)
      answers.push({ result: stdout.readUInt32LE(at), bytes })
      at += 8 + wanted.length
    }
    if (answers.length < calls.length) {
      throw new CallFailed(answers.length, `call ${answers.length} of ${calls.length}: ${signal ?? status}`)
    }
    return answers
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A call that ended the process, as one that touches what is not its own does. */
export class CallFailed extends Error {
  override name = 'CallFailed'
  readonly call: number

  constructor(call: number, message: string) {
    super(message)
    this.call = call
  }
}
