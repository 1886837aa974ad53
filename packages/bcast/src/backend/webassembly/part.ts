// A part of a kernel's run, as it is told to the kernel.
import type { KernelRun } from '../../plan/kernels.ts'
import type { Located } from './located.ts'
import type { Addressed } from './parameters.ts'

/** Sizes of one of the parts, and where its operands begin. */
export function partOf(
  { loops: { sizes, strides, shifts }, split: { loop, length, parts } }: KernelRun,
  cursors: readonly Located[],
  part: number,
): { readonly sizes: readonly number[]; readonly operands: readonly Addressed[] } {
  const begin = part * length
  const operands = cursors.map(({ address, width }, i) => ({
    width,
    strides: strides[i]!,
    address: address + (shifts[i]! + begin * strides[i]![loop]!) * width,
  }))
  return { sizes: parts === 1 ? sizes : sizes.with(loop, Math.min(length, sizes[loop]! - begin)), operands }
}
