// A rectangular part of an array, read in row-major order whatever the order of the file.
import type { TypedArray } from './element.ts'
import type { ArraySource } from './source.ts'

/**
 * Fills `target` with the elements whose indices run from `begin` to `end` (exclusive) on every axis, in row-major order of the block.
 * The source must be seekable.
 */
export declare function readBlock(
  source: ArraySource,
  begin: readonly number[],
  end: readonly number[],
  target: TypedArray,
): Promise<void>
