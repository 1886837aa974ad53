// More threads than a task has parts are none too many: every part is taken once, however many are wanted.
import { configure, matmul, type Tensor, tensor } from 'bcast'
import { provideKernels } from 'bcast/kernels'
import { afterEach, expect, it } from 'vitest'
import { noMachineCode } from '../../../testing/machine-code.ts'
import { needs } from '../../../testing/needs.ts'
import { install } from '../src/install.ts'

afterEach(() => {
  provideKernels(undefined)
  configure({ threads: 1 })
})

it('products on 192 threads end, and are right', needs('machine-code', noMachineCode === undefined), () => {
  install(provideKernels, { least: 0 })
  configure({ threads: 192 })
  const [m, k, n] = [64, 8, 40_000]
  const ones = (rows: number, columns: number): Tensor =>
    tensor(new Float32Array(rows * columns).fill(1), { shape: [rows, columns], share: true }) as Tensor
  const product = matmul(ones(m, k) as never, ones(n, k).T as never) as Tensor
  expect((product.data as Float32Array).every((sum) => sum === k)).toBe(true)
})
