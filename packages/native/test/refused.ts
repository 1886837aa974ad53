// A program whose system refuses executable memory, for real: it asks Linux for that before it loads the package. Its
// argument says in which way; it prints what computes and a result, or that Linux does not know the way.
import { createRequire } from 'node:module'
import process from 'node:process'
import { koffiFfi } from '../src/ffi/koffi.ts'

type Prctl = (option: number, a: number | bigint, b: number | bigint, c: number, d: number) => number

const prctl: Prctl = createRequire(import.meta.url)('koffi')
  .load(null)
  .func('int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)')

const [PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_SET_MDWE] = [22, 38, 65]
const SECCOMP_MODE_FILTER = 2

const MPROTECT = process.arch === 'arm64' ? 226 : 10

/** Instructions of a filter: code, how far to jump where it holds and where not, operand. */
const FILTER = [
  [0x20, 0, 0, 0], // load the number of the call
  [0x15, 0, 3, MPROTECT], // if it is mprotect
  [0x20, 0, 0, 32], // load the low half of its third argument
  [0x15, 0, 1, 5], // if that is to be read and executed, as no page of V8 is
  [0x06, 0, 0, 0x50001], // not permitted
  [0x06, 0, 0, 0x7fff0000], // allowed
] as const

/** What systemd calls MemoryDenyWriteExecute: no page may become executable that was not. */
const denyWriteExecute = (): boolean => prctl(PR_SET_MDWE, 1, 0, 0, 0) === 0

/** A policy that refuses what the package does, and nothing else. */
function filter(): boolean {
  const ffi = koffiFfi()
  const at = ffi.allocate(4096)!
  const bytes = new DataView(new ArrayBuffer(16 + 8 * FILTER.length))
  bytes.setUint16(0, FILTER.length, true)
  bytes.setBigUint64(8, at + 16n, true)
  for (const [i, [code, holds, fails, operand]] of FILTER.entries()) {
    bytes.setUint16(16 + 8 * i, code, true)
    bytes.setUint8(18 + 8 * i, holds)
    bytes.setUint8(19 + 8 * i, fails)
    bytes.setUint32(20 + 8 * i, operand, true)
  }
  ffi.write(at, new Uint8Array(bytes.buffer))
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) === 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, at, 0, 0) === 0
}

const ways: Readonly<Record<string, () => boolean>> = {
  'deny-write-execute': denyWriteExecute,
  filter,
  none: () => true,
}

const bcast = await import('bcast')
if (ways[process.argv[2]!]!()) {
  const { engine } = await import('../src/index.ts')
  const { data } = bcast.add(bcast.ones([300, 1]), bcast.ones([400]))
  console.log(`${engine} ${data.length} ${data.every((each) => each === 2)}`)
} else console.log('unknown')
