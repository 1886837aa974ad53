import type { Entry } from './entry.ts'

export const coremlMessages: readonly Entry[] = [
  {
    source: 'coremltools 9.0: mb.add of (2,3) and (4): ones are put in front',
    text: 'ValueError: Incompatible dim 1 in shapes (2, 3) vs. (1, 4)',
    form: 'convert',
    shapes: [
      [2, 3],
      [1, 4],
    ],
  },
  {
    source: 'coremltools 9.0: mb.matmul of (2,3) and (4,5)',
    text: 'ValueError: Op matmul_0 (matmul): x (2, 3), y (4, 5) are not broadcastable',
    form: 'matmul',
    about: 'matrix product',
  },
  {
    source: 'coremltools 9.0: mb.concat of (2,3) and (2,4)',
    text: 'ValueError: Dimension mismatch in concat ("concat_0"): shapes [2, 3] vs. (2, 4)',
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'coremltools 9.0: mb.stack of (2,3) and (2,4)',
    text: 'ValueError: Component tensor y has shape (2, 4), others have (2, 3)',
    form: 'stack',
    shapes: [
      [2, 3],
      [2, 4],
    ],
    rule: 'none',
  },
  {
    source: 'coremltools 9.0: mb.reshape of (6) to (4)',
    text: 'ValueError: Invalid target shape in `reshape` op ([6] to [np.int32(4)]).',
    form: 'reshape',
    about: 'reshape',
    says: '[6] do not fill [4]',
  },
  {
    source: 'apple/coremltools#1041',
    text: 'ValueError: Incompatible dim 1 in shapes (is14, 18, 32, 512) vs. (is14, 17, 31, 512)',
    form: 'convert',
    shapes: [
      ['is14', 18, 32, 512],
      ['is14', 17, 31, 512],
    ],
  },
  {
    source: 'apple/coremltools#2483',
    text: '`ValueError: Incompatible dim 1 in shapes (1, 320, is28, is29) vs. (1, 1280, is2, is3)`',
    form: 'convert',
    shapes: [
      [1, 320, 'is28', 'is29'],
      [1, 1280, 'is2', 'is3'],
    ],
  },
  {
    source: 'microsoft/onnxruntime#15110',
    text: "`'Invalid blob shape', 'Cannot broadcast [2, 3, 80, 144, 1] and [2, 1, 80, 144, 1] outputs`.",
    form: 'blobs',
    shapes: [
      [2, 3, 80, 144, 1],
      [2, 1, 80, 144, 1],
    ],
    verdict: 'ok',
  },
  {
    source: 'apple/coremltools#1019',
    text: `Error compiling model: "compiler error:  Espresso exception: "Invalid blob shape": Cannot broadcast blobs".
  _warnings.warn(`,
    form: 'silent',
  },
  {
    source: 'onnx/onnx-coreml#511',
    text: `coremlc: Error: compiler error:  Espresso exception: "Invalid blob shape": generic_elementwise_kernel: cannot broadcast [48, 64, 32, 1, 1] and [24, 32, 32, 1, 1]
Command CoreMLModelCompile failed with a nonzero exit code`,
    form: 'blobs',
    shapes: [
      [48, 64, 32, 1, 1],
      [24, 32, 32, 1, 1],
    ],
  },
  {
    source: 'eai-lab/On-device-Sora#6',
    text: `Espresso exception: "Invalid blob shape": Data-dependent shapes were disabled: x - [2, ?, 1152], outY - [1, ?, 1152]
"Shapes are not compatible for broadcasting" during ios18.add`,
    form: 'silent',
  },
  {
    source: 'PINTO0309/tflite2tensorflow#27',
    text: '2022-02-16 12:04:35.315685+0000 MLModelCamera[12740:4737111] [espresso] [Espresso::handle_ex_plan] exception=Espresso exception: "Generic error": [Exception from layer 240: model_1/model/add_24/add]Espresso exception: "Invalid blob shape": elementwise_kernel_cpu: Cannot broadcast [12, 2, 1, 256, 1] and [12, 1, 1, 256, 1] status=-1',
    form: 'blobs',
    shapes: [
      [12, 2, 1, 256, 1],
      [12, 1, 1, 256, 1],
    ],
    verdict: 'ok',
  },
  {
    source: 'apple/coremltools#978',
    text: 'RuntimeWarning: You will not be able to run predict() on this Core ML model. Underlying exception message was: Error compiling model: "compiler error:  Espresso exception: "Invalid blob shape": generic_elementwise_kernel: cannot broadcast [13, 391, 128, 1, 1] and [14, 392, 128, 1, 1]".',
    form: 'blobs',
    shapes: [
      [13, 391, 128, 1, 1],
      [14, 392, 128, 1, 1],
    ],
  },
  {
    source: 'apple/coremltools#879',
    text: '"compiler error:  Espresso exception: "Invalid blob shape": generic_elementwise_kernel: cannot broadcast [1, 14280, 2, 1, 1] and [14280, 2, 1, 1, 1]".',
    form: 'blobs',
    shapes: [
      [1, 14280, 2, 1, 1],
      [14280, 2, 1, 1, 1],
    ],
  },
  {
    source: 'apple/coremltools#1060',
    text: '"Invalid blob shape": elementwise_kernel_cpu: Cannot broadcast [1, 1, 1, 256, 64] and [1, 1, 1, 256, 63] [Exception from Layer: 8: add_1]',
    form: 'blobs',
    shapes: [
      [1, 1, 1, 256, 64],
      [1, 1, 1, 256, 63],
    ],
  },
  {
    source: 'apple/coremltools#983',
    text: `\`compiler error: Espresso exception: "Invalid blob shape": generic_elementwise_kernel: cannot broadcast:
	(1, 3, 224, 224)
	(1, 1, 1, 3)\``,
    form: 'blobs',
    shapes: [
      [1, 3, 224, 224],
      [1, 1, 1, 3],
    ],
  },
]
