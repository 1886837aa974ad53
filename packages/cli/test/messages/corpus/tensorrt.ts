import type { Entry } from './entry.ts'

export const tensorrtMessages: readonly Entry[] = [
  {
    source: 'pytorch/TensorRT#961',
    text: 'ERROR: [Torch-TensorRT TorchScript Conversion Context] - 4: [graphShapeAnalyzer.cpp::analyzeShapes::1285] Error Code 4: Miscellaneous (IElementWiseLayer %46481 : Tensor = aten::add(%46424, %46480, %self.model.blocks.1) # /home/user/model.py:189:41: broadcast dimensions must be conformable)',
    form: 'layer',
  },
  {
    source: 'NVIDIA/TensorRT#3210',
    text: `[08/10/2023-06:31:51] [E] Error[4]: [graphShapeAnalyzer.cpp::analyzeShapes::1285] Error Code 4: Miscellaneous (IElementWiseLayer Mul_1384: broadcast dimensions must be conformable)
[08/10/2023-06:31:51] [E] [TRT] ModelImporter.cpp:773: While parsing node number 1384 [Mul -> "2291"]:
[6] Invalid Node - Mul_1384
[graphShapeAnalyzer.cpp::analyzeShapes::1285] Error Code 4: Miscellaneous (IElementWiseLayer Mul_1384: broadcast dimensions must be conformable)`,
    form: 'layer',
    where: 'in layer "Mul_1384"',
  },
  {
    source: 'NVIDIA/TensorRT#426',
    text: `[TensorRT] ERROR: (Unnamed Layer* 13) [ElementWise]: dimensions not compatible for elementwise
[TensorRT] ERROR: shapeMachine.cpp (252) - Shape Error in operator(): broadcast iwth incompatible dimensions
[TensorRT] ERROR: Instruction: CHECK_BROADCAST 5 100`,
    form: 'sizes',
    sizes: [5, 100],
  },
  {
    source: 'NVIDIA/TensorRT#854',
    text: `[2020-10-27 09:27:05   ERROR] Add_187: dimensions not compatible for elementwise
[2020-10-27 09:27:05   ERROR] ../builder/shapeContext.cpp (729) - Shape Error in op: 0 (broadcast dimensions must be positive)
terminate called after throwing an instance of 'std::runtime_error'`,
    form: 'elementwise',
    where: 'in layer "Add_187"',
  },
  {
    source: 'grimoire/torch2trt_dynamic#21',
    text: `[TensorRT] ERROR: 9: [graphShapeAnalyzer.cpp::throwIfError::1306] Error Code 9: Internal Error ((Unnamed Layer* 3886) [ElementWise]: broadcast dimensions must be conformable
)`,
    form: 'elementwise',
  },
  {
    source: 'NVIDIA/TensorRT#1485',
    text: '[ElementWise]: elementwise inputs must have same dimensions or follow broadcast rules (input dimensions were [2,160,128] and [1,2,128]).',
    form: 'shapes',
    shapes: [
      [2, 160, 128],
      [1, 2, 128],
    ],
  },
  {
    source: 'wang-xinyu/tensorrtx#9',
    text: '> ERROR: (Unnamed Layer* 182) [ElementWise]: elementwise inputs must have same dimensions or follow broadcast rules (input dimensions were [256,53,53] and [256,54,54]).',
    form: 'shapes',
    shapes: [
      [256, 53, 53],
      [256, 54, 54],
    ],
  },
  {
    source: 'NVIDIA/TensorRT#3309',
    text: "`7: [shapeMachine.cpp::executeContinuation::887] Error Code 7: Internal Error (Add_430: dimensions not compatible for elementwise. Condition '==' violated: 5376 != 4725. Instruction: CHECK_EQUAL 5376 4725.)`",
    form: 'sizes',
    sizes: [5376, 4725],
    where: 'in layer "Add_430"',
  },
]
