// A system that takes no more code, however far a call has come: WebAssembly computes, or the call says what is wrong.
import { arange, configure, EngineError, fuse, matmul, mul, sum, type Tensor } from 'bcast'
import { provideKernels } from 'bcast/kernels'
import { afterEach, describe, expect, it } from 'vitest'
import { CodeMemory } from '../src/code.ts'
import { koffiFfi, koffiText } from '../src/ffi/koffi.ts'
import type { Level } from '../src/levels.ts'
import { Unsupported } from '../src/machine/unsupported.ts'
import { machineCode } from '../src/maker.ts'
import { Threads } from '../src/threads.ts'
import { found } from './found.ts'

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1 })
})

/** Memory that takes so many kernels. */
class Full extends CodeMemory {
  left: number

  constructor(left: number) {
    super(koffiFfi())
    this.left = left
  }

  override load(code: Uint8Array): ReturnType<CodeMemory['load']> {
    if (this.left === 0) throw new Unsupported('the system gives no memory for machine code')
    this.left--
    return super.load(code)
  }
}

/** Has machine code run as long as there is room for kernels. */
function start(level: Level, room: number): Full {
  const memory = new Full(room)
  const threads = new Threads(memory, level)
  const options = { level, memory, threads, textFor: koffiText, least: 0, streamFrom: Number.POSITIVE_INFINITY }
  provideKernels(machineCode(options))
  return memory
}

const matrix = (rows: number, columns: number): Tensor =>
  mul(arange(rows * columns).reshape([rows, columns]) as Tensor, 1 / 3) as Tensor

const softmax = fuse((x) => {
  const e = x.sub(x.max({ axes: -1, keepdims: true })).exp()
  return e.div(e.sum({ axes: -1, keepdims: true }))
})

/** Calls by the size of a matrix. */
const calls: Readonly<Record<string, (n: number) => Tensor>> = {
  'a product': (n) => matmul(matrix(70, 90), matrix(90, n)) as Tensor,
  'a product of packed operands': (n) =>
    matmul(matrix(90, 300).transpose() as Tensor, matrix(n, 90).transpose() as Tensor) as Tensor,
  'a row by a matrix': (n) => matmul(matrix(1, 90), matrix(90, n)) as Tensor,
  'a sum': (n) => sum(matrix(70, n), { axes: 0 }) as Tensor,
  'a function of rows': (n) => softmax(matrix(200, n)) as Tensor,
}

const bytesOf = ({ data }: Tensor): string => {
  const { buffer, byteOffset, byteLength } = data as Float32Array
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('hex')
}

describe.each(found)('where the system takes no more code of %s', (level) => {
  // Calls that repeat stay what they were made as; those of each kind of code are calls of their own.
  const n = 80 + found.indexOf(level)

  it.each(Object.keys(calls))('%s has its value, or an error that says so', (name) => {
    const call = (): Tensor => calls[name]!(n)
    const wanted = bytesOf(call())
    const all = start(level, 100)
    expect(bytesOf(call())).toBe(wanted)
    const kernels = 100 - all.left
    if (level !== 'neon') expect(kernels).toBeGreaterThan(0)
    for (let room = 0; room <= kernels; room++) {
      const { left } = start(level, room)
      expect(left).toBe(room)
      // Again and again: what could not be made is not kept as if it were there.
      for (let i = 0; i < 3; i++) {
        try {
          expect(bytesOf(call())).toBe(wanted)
        } catch (error) {
          expect(error).toBeInstanceOf(EngineError)
          expect((error as Error).message).toBe('the system takes no more machine code; the result is incomplete')
        }
      }
    }
  })
})
