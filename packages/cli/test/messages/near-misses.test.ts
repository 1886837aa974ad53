// Texts that speak of shapes and are no message that bcast knows: what is not known is not read.
import { describe, expect, it } from 'vitest'
import { readMessages } from '../../src/messages/read.ts'

/** Messages of others, and of the same frameworks about something else. */
const others: readonly (readonly [source: string, text: string])[] = [
  ['R', 'Error in X1_fg %*% Z : non-conformable arguments from step 2'],
  ['R', 'Error in G1 + G2 - 2 * G : non-conformable arrays'],
  ['NVIDIA/MatX#682', 'Incompatible operator sizes: (4,3,6) not compatible with (4,3,9)'],
  ['stan-dev/stan#1543', 'assign: size of x (6) and size of y (4) must match in size'],
  ['finch-tensor/Finch.jl#529', 'ERROR: DimensionMismatch: mismatched dimension limits (10 != 1)'],
  ['FluxML/Flux.jl#1941', 'DimensionMismatch: All data containers must have the same number of observations.'],
  ['FluxML/Flux.jl#2171', 'ERROR: DimensionMismatch: Input channels must match! (2 vs. 3)'],
  ['NVIDIA/TensorRT#1660', '[TRT] (Unnamed Layer* 73) [ElementWise]: broadcast dimensions must be non-negative'],
  ['apple/coremltools#1686', 'ValueError: The updates tensor should have shape (11,). Got (4,)'],
  [
    'apple/coremltools#1037',
    '"Invalid argument": generic_reshape_kernel: Invalid bottom shape (64 12 1 1 1) for reshape to (9216 -1 1 1 1)',
  ],
  ['LiteRT', 'LiteRT 2.1.2 cannot broadcast [1,3,3,32] and [1,72,72,32] in a generated ADD.'],
  ['tracel-ai/burn#5542', 'Tensors are not broadcastable along dimension 1: lhs (3) vs rhs (4)'],
  [
    'microsoft/onnxruntime#23187',
    "[W:onnxruntime:, graph.cc:109 MergeShapeInfo] Error merging shape info for output. 'onnx::Add_15' source:{5,50,1} target:{1,5,50,1}. Falling back to lenient merge.",
  ],
  [
    'NumPy',
    'ValueError: matmul: Input operand 0 does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)',
  ],
  [
    'PyTorch',
    'RuntimeError: Given groups=1, weight of size [64, 3, 7, 7], expected input[1, 1, 28, 28] to have 3 channels, but got 1 channels instead',
  ],
  ['PyTorch', 'UserWarning: The size of tensor a must match the size of tensor b at non-singleton dimension 0'],
  ['candle', 'Error: dtype mismatch in add, lhs: F32, rhs: F16'],
  ['candle', 'Error: unexpected rank, expected: 2, got: 3 ([1, 2, 3])'],
  [
    'webonnx/wonnx#197',
    'broadcasting for two stacks of matrixes (left side has shape 1x512x384:f32, right side has shape 384x384:f32)',
  ],
  ['Octave', 'error: A(3,_): out of bound 2 (dimensions are 2x2)'],
  ['Octave', 'error: inverse: argument must be a square matrix'],
  ['MATLAB', 'Index in position 1 exceeds array bounds. Index must not exceed 3.'],
  ['JAMA', 'Matrix inner dimensions must agree.'],
  ['Julia', 'BoundsError: attempt to access 8×30×8×10 Array{Float32, 4} at index [1:2:7, 1:30]'],
  [
    'Paddle',
    "The input tensor's dimension should be equal to or greater than the axis's size. But received input tensor's dimension is 3, axis's size is 4",
  ],
  [
    'MLX',
    '[conv] Expect the input channels in the input and weight array to match but got shapes (1,8,8,3) and (4,3,3,2)',
  ],
  [
    'TensorFlow',
    'ValueError: Input 0 of layer "dense" is incompatible with the layer: expected axis -1 of input shape to have value 3, but received input with shape (None, 4)',
  ],
  ['prose', 'The shapes (2,3) and (4,) cannot be added, and a (2,3) array does not broadcast against (4,).'],
  ['prose', 'dimensions must match'],
  ['code', 'raise ValueError("Shapes " + str(a) + " and " + str(b) + " cannot be broadcast.")'],
  ['code', 'msg << "[broadcast_shapes] Shapes " << s1 << " and " << s2 << " cannot be broadcast.";'],
]

describe('texts with shapes that are no known message', () => {
  it.each(others)('%s: %s', (_, text) => {
    expect(readMessages(text)).toEqual([])
  })
})

describe('messages that only look like those of another framework', () => {
  it.each([
    // TensorFlow wants sizes equal there: no stretching is meant.
    [
      "Dimensions must be equal, but are 1 and 3 for 'Conv2D' (op: 'Conv2D') with input shapes: [?,60,100,1], [11,11,3,96].",
      'tensorflow',
      'other',
    ],
    [
      "Dimensions must be equal, but are 5 and 3 for 'add' (op: 'AddV2') with input shapes: [2,5], [3].",
      'tensorflow',
      'shapes',
    ],
    // NumPy has no spaces in shapes, Keras has them.
    ['Operands could not be broadcast together with shapes (88,23) (88,24)', 'numpy', 'shapes'],
    ['Operands could not be broadcast together with shapes (4, 4, 1024) (1, 4, 512)', 'tensorflow', 'shapes'],
    ['Operands could not be broadcast together with shapes 88,23 and 88,24.', 'tfjs', 'shapes'],
    [
      'Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [2, 3] and the shape of Y = [4].',
      'paddle',
      'shapes',
    ],
    // MLX and TensorFlow.
    ['Shapes (2,3) and (4) cannot be broadcast.', 'mlx', 'shapes'],
    ['Shapes (2, 3) and (4,) are incompatible', 'tensorflow', 'shapes'],
    // An inner size is no broadcast.
    ['Error using * Inner matrix dimensions must agree.', 'matlab', 'other'],
    ['Error using + Matrix dimensions must agree.', 'matlab', 'silent'],
    ['error: operator *: nonconformant arguments (op1 is 2x3, op2 is 4x5)', 'octave', 'other'],
    ['error: operator .*: nonconformant arguments (op1 is 2x3, op2 is 4x5)', 'octave', 'shapes'],
    ['error: operator ==: nonconformant arguments (op1 is 2x3, op2 is 4x5)', 'octave', 'shapes'],
    ['error: =: nonconformant arguments (op1 is 2x3, op2 is 4x5)', 'octave', 'other'],
  ])('%s', (text, framework, kind) => {
    expect(readMessages(text).map((reading) => [reading.framework, reading.finding.kind])).toEqual([[framework, kind]])
  })
})
