// The threads that machine code brings run every part of every task once, however many tasks follow each other and however
// long the threads slept between them, and give the bits of one thread; a thread more or fewer changes nothing.
import { setTimeout as pause } from 'node:timers/promises'
import { configure, fuse, type Tensor, tensor } from 'bcast'
import { provideKernels } from 'bcast/kernels'
import { afterEach, describe, expect, it } from 'vitest'
import { needs } from '../../../testing/needs.ts'
import { CodeMemory } from '../src/code.ts'
import { koffiFfi } from '../src/ffi/koffi.ts'
import { install } from '../src/install.ts'
import { levels } from '../src/levels.ts'
import { Threads } from '../src/threads.ts'

const hasCode = ((): boolean => {
  try {
    return levels().length > 0
  } catch {
    return false
  }
})()

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1 })
})

/** Elements from which on threads are worth waking. */
const COUNT = 120_000
const x = tensor(Float32Array.from({ length: COUNT }, (_, i) => Math.sin(i))) as Tensor
const out = tensor(new Float32Array(COUNT)) as Tensor

const bytesOf = ({ data }: Tensor): Buffer => {
  const { buffer, byteOffset, byteLength } = data as Float32Array
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}

// biome-ignore lint/suspicious/noExplicitAny: operands inside have no types that are known before
const counted = () => fuse((a: any, k: any) => a.mul(k).exp().add(k)) as unknown as Counted
type Counted = (x: Tensor, k: Tensor, options?: { out: Tensor }) => Tensor

describe('threads of the system', needs('linux', hasCode || process.platform !== 'linux'), () => {
  it('are as many as are wanted, once', () => {
    const threads = new Threads(new CodeMemory(koffiFfi()), levels().at(-1)!)
    expect(threads.ready(1)).toBe(1)
    expect(threads.ready(3)).toBe(3)
    expect(threads.ready(2)).toBe(2)
    expect(threads.ready(3)).toBe(3)
  })

  it('do what every thread of the process is told to do', () => {
    const threads = new Threads(new CodeMemory(koffiFfi()), levels().at(-1)!)
    expect(threads.ready(4)).toBe(4)
    // The C library has each of them set it, and waits until all have.
    process.seteuid!(process.geteuid!())
    expect(process.geteuid!()).toBe(process.getuid!())
  })

  it('run every part of thousands of tasks', async () => {
    const f = counted()
    const factors = Array.from({ length: 8 }, (_, i) => tensor(Float32Array.of(i / 8)) as Tensor)
    const wanted = factors.map((k) => Buffer.from(new Uint8Array(bytesOf(f(x, k)))))
    install(provideKernels, { least: 0 })
    const g = counted()
    const bytes = bytesOf(out)
    for (let round = 0; round < 2000; round++) {
      const i = round % factors.length
      if (round % 100 === 0) configure({ threads: 1 + ((round / 100) % 4) })
      if (round % 250 === 0) await pause(2)
      g(x, factors[i]!, { out })
      // What is left out, or comes later, still holds the task before, whose factor was another.
      if (Buffer.compare(bytes, wanted[i]!) !== 0) expect.fail(`task ${round} is not whole`)
    }
    expect(Buffer.compare(bytes, wanted[1999 % factors.length]!)).toBe(0)
  })
})
