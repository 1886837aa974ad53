// How instructions are named after the type of their elements.
import { type DType, isFloat } from 'bcast/kernels'
import type { VectorName } from './forms.ts'
import { bytesOf } from './vectors.ts'

/** Names by type: ps and pd for floats, b w d q for integers. */
export const suffixOf = (dtype: DType): string =>
  dtype === 'float32'
    ? 'ps'
    : dtype === 'float64'
      ? 'pd'
      : ({ 1: 'b', 2: 'w', 4: 'd', 8: 'q' } as const)[bytesOf(dtype) as 1]

export const named = (stem: string, dtype: DType): VectorName =>
  `${isFloat(dtype) ? 'v' : 'vp'}${stem}${suffixOf(dtype)}` as VectorName
