// Kernels of products as all processors have them: which there are, and how wide elements are that are packed.
import type { DType, ProductKernel } from 'bcast/kernels'

export type Multiplying = Extract<ProductKernel, { kind: 'multiply' }>
export type Packing = Extract<ProductKernel, { kind: 'pack' }>
export type Gathering = Extract<ProductKernel, { kind: 'gather' }>
export type RowMultiplying = Extract<ProductKernel, { kind: 'across' | 'along' }>

/** How a processor writes each of them, given what else its code depends on. */
interface Writers<Rest extends readonly unknown[]> {
  readonly multiply: (kernel: Multiplying, ...rest: Rest) => Uint8Array
  readonly pack: (kernel: Packing, ...rest: Rest) => Uint8Array
  readonly gather: (kernel: Gathering, ...rest: Rest) => Uint8Array
  readonly row: (kernel: RowMultiplying, ...rest: Rest) => Uint8Array
}

/** Writes the machine code of `int run(uint32_t parameters)` for what is asked. */
export type ProductCompiler<Rest extends readonly unknown[]> = (kernel: ProductKernel, ...rest: Rest) => Uint8Array

export const productCompiler =
  <Rest extends readonly unknown[]>(writers: Writers<Rest>): ProductCompiler<Rest> =>
  (kernel, ...rest) => {
    switch (kernel.kind) {
      case 'multiply':
        return writers.multiply(kernel, ...rest)
      case 'pack':
        return writers.pack(kernel, ...rest)
      case 'gather':
        return writers.gather(kernel, ...rest)
      default:
        return writers.row(kernel, ...rest)
    }
  }

/** Bytes of an element where it lies, and of what it becomes. */
export const widthsOf = (dtype: DType): readonly [from: 2 | 4 | 8, to: 4 | 8] =>
  dtype === 'float16' || dtype === 'bfloat16' ? [2, 4] : dtype === 'float64' || dtype === 'int64' ? [8, 8] : [4, 4]
