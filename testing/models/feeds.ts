// Inputs for the real models.
import type { Feed } from './expose.ts'

const floats = (...shape: number[]): Feed => ({
  element: 'float32',
  shape,
  elements: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => Math.sin(i)),
})
const integer = (value: number): Feed => ({ element: 'int64', shape: [], elements: BigInt64Array.of(BigInt(value)) })

export type Feeds = Readonly<Record<string, Feed>>

const silero = (batch: number, length: number, rate: number): Feeds => ({
  input: floats(batch, length),
  state: floats(2, batch, 128),
  sr: integer(rate),
})
const sileroLegacy = (batch: number, length: number, rate: number): Feeds => ({
  input: floats(batch, length),
  sr: integer(rate),
  h: floats(2, batch, 64),
  c: floats(2, batch, 64),
})

/** What each real model is run with: several sizes, and both rates of the voice detectors. */
export const runs: readonly (readonly [file: string, feeds: readonly Feeds[]])[] = [
  [
    'ch_PP-OCRv4_det_infer.onnx',
    [{ x: floats(1, 3, 32, 32) }, { x: floats(2, 3, 64, 96) }, { x: floats(1, 3, 160, 128) }],
  ],
  [
    'ch_PP-OCRv4_rec_infer.onnx',
    [{ x: floats(1, 3, 48, 64) }, { x: floats(2, 3, 48, 120) }, { x: floats(3, 3, 48, 33) }],
  ],
  ['ch_ppocr_mobile_v2.0_cls_infer.onnx', [{ x: floats(1, 3, 48, 192) }, { x: floats(4, 3, 48, 192) }]],
  ['silero_vad_legacy.onnx', [sileroLegacy(1, 512, 16000), sileroLegacy(3, 1536, 16000), sileroLegacy(2, 256, 8000)]],
  ['silero_vad_v5.onnx', [silero(1, 576, 16000), silero(3, 576, 16000), silero(2, 288, 8000)]],
  ['silero_vad_v6.onnx', [silero(1, 576, 16000), silero(3, 576, 16000), silero(2, 288, 8000)]],
]
