// Functions by machine code have the bits of WebAssembly for elements of any bits: results that are subnormal, overflow or
// are no numbers among them, where several instructions of a program are one of the processor's.
import * as bcast from 'bcast'
import { configure, fromData, type Tensor } from 'bcast'
import { provideKernels } from 'bcast/kernels'
import { afterEach, describe, expect, it } from 'vitest'
import { makeRandom } from '../../../testing/random.ts'
import { seed } from '../../../testing/seed.ts'
import { install } from '../src/install.ts'
import { found } from './found.ts'

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1 })
})

const COUNT = 1 << 16
const NAMES = ['exp', 'log', 'tanh', 'sigmoid', 'sin', 'cos', 'atan', 'erf', 'softplus', 'elu', 'gelu', 'sqrt'] as const
const calls = bcast as unknown as Readonly<Record<string, (...operands: readonly Tensor[]) => Tensor>>

/** Half of them of any bits; half of magnitudes for which functions are neither 0 nor infinite. */
function elements(dtype: 'float32' | 'float64', count: number, stream: number): Tensor {
  const random = makeRandom(seed + stream)
  const data = dtype === 'float32' ? new Float32Array(count) : new Float64Array(count)
  const bits = new Uint32Array(data.buffer)
  for (let i = 0; i < bits.length; i++) bits[i] = random.below(2 ** 32)
  const reach = dtype === 'float32' ? 110 : 760
  for (let i = 0; i < count; i += 2) data[i] = (random.below(2 ** 30) / 2 ** 29 - 1) * reach
  return fromData(dtype, data as Float32Array<ArrayBuffer>, [count]) as Tensor
}

const bitsOf = ({ data }: Tensor): Uint32Array => {
  const { buffer, byteOffset, byteLength } = data as Float32Array
  return new Uint32Array(buffer, byteOffset, byteLength / 4).slice()
}

describe.each(found)('functions by machine code of %s', (level) => {
  it.each(['float32', 'float64'] as const)('of %s have the bits of WebAssembly', (dtype) => {
    // Calls that repeat stay what they were made as; those of each kind of code are calls of their own.
    const count = COUNT + found.indexOf(level)
    const [x, y] = [elements(dtype, count, 1), elements(dtype, count, 2)]
    const compute = (): ReadonlyMap<string, Tensor> =>
      new Map([...NAMES.map((name) => [name, calls[name]!(x)] as const), ['pow', calls['pow']!(x, y)]])
    const wanted = new Map([...compute()].map(([name, tensor]) => [name, bitsOf(tensor)]))
    install(provideKernels, { level, least: 0 })
    for (const [name, made] of compute()) {
      const [own, other] = [bitsOf(made), wanted.get(name)!]
      const at = own.findIndex((word, i) => word !== other[i])
      // NaNs of NEON's own are equal to any.
      if (at >= 0 && level === 'neon') continue
      expect(`${name}: ${at < 0 ? 'same' : `differs at word ${at}: ${own[at]}, not ${other[at]}`}`).toBe(
        `${name}: same`,
      )
    }
  })
})
