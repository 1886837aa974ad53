export { type BidirectionalRule, bidirectional } from './bidirectional.ts'
export {
  type AxesMapping,
  type AxesMappingOptions,
  type BroadcastAxesOptions,
  type ExplicitRule,
  explicit,
} from './explicit.ts'
export { type MatmulBatchRule, matmulBatch } from './matmul-batch.ts'
export { type NoneRule, none } from './none.ts'
export { type NumpyRule, numpy } from './numpy.ts'
export { type OnnxLegacyOptions, type OnnxLegacyRule, onnxLegacy } from './onnx-legacy.ts'
export { type OpenvinoPreluRule, openvinoPrelu } from './openvino-prelu.ts'
export { type PaddleOptions, type PaddleRule, paddle } from './paddle.ts'
export { type PdpdOptions, type PdpdRule, pdpd } from './pdpd.ts'
export { type SonnxRule, sonnx } from './sonnx.ts'
export { type UnidirectionalRule, unidirectional } from './unidirectional.ts'
