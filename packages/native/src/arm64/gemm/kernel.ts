// The kernels of products by what is asked of them.
import { type ProductCompiler, productCompiler } from '../../machine/product.ts'
import { compileGather } from './gather.ts'
import { compileMultiply } from './multiply.ts'
import { compilePack } from './pack.ts'
import { compileRow } from './row.ts'

/** Their machine code; parameters count from an address. */
export const compileProduct: ProductCompiler<[base: bigint]> = productCompiler({
  multiply: compileMultiply,
  pack: compilePack,
  gather: compileGather,
  row: compileRow,
})
