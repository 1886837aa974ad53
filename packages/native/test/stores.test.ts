// How results are stored is chosen anew without anything else changing: the same machine code gives other kernels, and
// those that it had when the choice goes back.
import type { MachineCode, Program } from 'bcast/kernels'
import { expect, it } from 'vitest'
import { noMachineCode } from '../../../testing/machine-code.ts'
import { needs } from '../../../testing/needs.ts'
import { install } from '../src/install.ts'

const program: Program = {
  inputs: ['float32'],
  code: [
    { op: 'input', dtype: 'float32', args: [], value: 0 },
    { op: 'neg', dtype: 'float32', args: [0] },
  ],
}
const signature = { motions: ['unit'], rows: 1, still: [false], lanes: 4 } as const
const loops = { sizes: [1024], strides: [[1], [1]] }

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
