// Gemm is no element-wise operator, so its row holds names and types only; the computation is the runtime's.
// @clause onnx.uni.op.gemm
import type { Types } from '../row.ts'
import { F3, F4, I4, REAL, union } from '../type-sets.ts'

export const gemm: { readonly name: 'Gemm'; readonly types: Types } = {
  name: 'Gemm',
  types: {
    onnx: [
      [1, F3],
      [9, /* @__PURE__ */ union(F3, I4)],
      [13, /* @__PURE__ */ union(F4, I4)],
    ],
    other: REAL,
  },
}
