// The kernels of products by what is asked of them.
import type { ProductKernel } from 'bcast/kernels'
import type { Level } from '../vectors.ts'
import { compileGather } from './gather.ts'
import { compileMultiply } from './multiply.ts'
import { compilePack } from './pack.ts'
import { compileRow } from './row.ts'

/** The machine code of `int run(uint32_t parameters)`, whose parameters count from an address. */
export function compileProduct(kernel: ProductKernel, level: Level, base: bigint): Uint8Array {
  switch (kernel.kind) {
    case 'multiply':
      return compileMultiply(kernel, level, base)
    case 'pack':
      return compilePack(kernel, level, base)
    case 'gather':
      return compileGather(kernel, level, base)
    default:
      return compileRow(kernel, level, base)
  }
}
