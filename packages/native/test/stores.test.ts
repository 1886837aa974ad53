// How results are stored is chosen anew without anything else changing: the same machine code gives other kernels, and
// those that it had when the choice goes back.
import { OperandError } from 'bcast'
import type { MachineCode, Program } from 'bcast/kernels'
import { expect, it } from 'vitest'
import { noMachineCode } from '../../../testing/machine-code.ts'
import { needs } from '../../../testing/needs.ts'
import { install } from '../src/install.ts'
import { streamFrom } from '../src/options.ts'

const program: Program = {
  inputs: ['float32'],
  code: [
    { op: 'input', dtype: 'float32', args: [], value: 0 },
    { op: 'neg', dtype: 'float32', args: [0] },
  ],
}
const signature = { motions: ['unit'], rows: 1, still: [false], lanes: 4 } as const
const loops = { sizes: [1024], strides: [[1], [1]], threads: 1 }

it('stores change from one call to the next', needs('machine-code', noMachineCode === undefined), () => {
  const handedIn: (MachineCode | undefined)[] = []
  const { stream } = install((code) => handedIn.push(code), { streamFrom: 4096 })
  const [code] = handedIn
  const { buffer } = new Uint8Array(8)
  const kernelAt = (from: number): unknown => {
    stream(from)
    return code!.kernel(program, signature, buffer, loops)!.run
  }
  const ordinary = kernelAt(4097)
  const streaming = kernelAt(4096)
  expect(streaming).not.toBe(ordinary)
  expect(kernelAt(Number.POSITIVE_INFINITY)).toBe(ordinary)
  expect(kernelAt(0)).toBe(streaming)
  expect(handedIn).toHaveLength(1)
})

it(
  'a result of operands that stand still has the whole cache',
  needs('machine-code', noMachineCode === undefined),
  () => {
    let code: MachineCode | undefined
    const { stream } = install((handedIn) => (code = handedIn), { streamFrom: 0 })
    const still = { motions: ['splat'], rows: 1, still: [false], lanes: 4 } as const
    const { buffer } = new Uint8Array(8)
    const kernelAt = (from: number): unknown => {
      stream(from)
      return code!.kernel(program, still, buffer, { sizes: [1024], strides: [[0], [1]], threads: 1 })!.run
    }
    const [streaming, ordinary] = [kernelAt(0), kernelAt(Number.POSITIVE_INFINITY)]
    expect(streaming).not.toBe(ordinary)
    // Its 4096 bytes are more than what would be half of the cache, and fewer than all of it.
    expect(kernelAt(4096)).toBe(ordinary)
    expect(kernelAt(2048)).toBe(streaming)
  },
)

it(
  'threads that share a call store past a cache that is smaller',
  needs('machine-code', noMachineCode === undefined),
  () => {
    let code: MachineCode | undefined
    const { stream } = install((handedIn) => (code = handedIn), { streamFrom: 0 })
    const { buffer } = new Uint8Array(8)
    const isStreamed = (from: number, stride: number, threads: number): boolean => {
      const own = { motions: [stride === 0 ? 'splat' : 'unit'], rows: 1, still: [false], lanes: 4 } as const
      const kernelAt = (at: number): unknown => {
        stream(at)
        return code!.kernel(program, own, buffer, { sizes: [1024], strides: [[stride], [1]], threads })!.run
      }
      return kernelAt(from) === kernelAt(0)
    }
    // 8192 bytes pass through a cache of twice as many as is said.
    expect([4096, 2926].map((from) => isStreamed(from, 1, 1))).toEqual([true, true])
    expect([2926, 2925].map((from) => isStreamed(from, 1, 2))).toEqual([false, true])
    // Of a result alone 4096.
    expect([2048, 912, 911].map((from) => isStreamed(from, 0, 2))).toEqual([false, false, true])
  },
)

it('options that are none are refused, with those there are', () => {
  const refused = (options: unknown): unknown => {
    try {
      return streamFrom(options as Parameters<typeof streamFrom>[0], 1)
    } catch (error) {
      expect(error).toBeInstanceOf(OperandError)
      return (error as Error).message
    }
  }
  const taken = "it takes { stores }, which is 'auto', 'streaming' or 'ordinary'."
  expect(refused(undefined)).toBe(`configureNative: options are undefined; ${taken}`)
  expect(refused('auto')).toBe(`configureNative: options are auto; ${taken}`)
  expect(refused({})).toBe(`configureNative: stores is undefined; ${taken}`)
  expect(refused({ stores: 'fast' })).toBe(`configureNative: stores is "fast"; ${taken}`)
  expect(refused({ stores: 'auto', level: 'avx2' })).toBe(`configureNative has no option level; ${taken}`)
  expect(refused({ stores: 'auto' })).toBe(1)
  expect(refused({ stores: 'streaming' })).toBe(0)
})
