/**
 * What a compiler of kernels needs of the library: programs, how operands of a kernel move, what it is told, and where to
 * hand its kernels in. `@bcast/native` is made with it; programs that compute need none of it.
 *
 * @module
 */

export { neutral } from './backend/webassembly/codegen/reduce-parts.ts'
export type {
  KernelCall,
  MachineCode,
  MadeKernel,
  ProductKernel,
  ProductTile,
} from './backend/webassembly/machine/code.ts'
export { SEQUENCE, TASK } from './backend/webassembly/machine/parameters.ts'
export { provideKernels } from './backend/webassembly/machine/provide.ts'
export { bitsOf, type DType, isFloat, type Kind, kindOf } from './dtype/dtype.ts'
export { canFault, type Instruction, type Primitive, type Program } from './expr/ir.ts'
export type { Combining } from './expr/reductions.ts'
export { without } from './expr/without.ts'
export { WIDE_PARAMETERS } from './plan/parameters.ts'
export { GATHERING, PACKING, PRODUCT, ROW } from './plan/product-parameters.ts'
export { LANE_GAP, type ReduceSignature } from './plan/reduce.ts'
export type { Motion, Signature } from './plan/signature.ts'
export { BLOCK, LANES } from './plan/tree.ts'
