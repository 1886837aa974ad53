import type { Entry } from './entry.ts'

export const onnxruntimeMessages: readonly Entry[] = [
  {
    source: 'https://github.com/microsoft/onnxruntime/issues/7888 (logged and thrown: one message)',
    text: `2021-05-29 17:43:34.1222133 [E:onnxruntime:, sequential_executor.cc:339 onnxruntime::SequentialExecutor::Execute] Non-zero status code returned while running Where node. Name:'Where_67' Status Message: D:\\a\\_work\\1\\s\\onnxruntime\\core/providers/cpu/math/element_wise_ops.h:479 onnxruntime::BroadcastIterator::Init axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1. 15 by 64

Traceback (most recent call last):
...
onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException: [ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Non-zero status code returned while running Where node. Name:'Where_67' Status Message: D:\\a\\_work\\1\\s\\onnxruntime\\core/providers/cpu/math/element_wise_ops.h:479 onnxruntime::BroadcastIterator::Init axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1. 15 by 64`,
    form: 'sizes',
    sizes: [15, 64],
    where: 'in node "Where_67" (Where)',
  },
  {
    source: 'https://github.com/microsoft/onnxruntime/issues/1811 (before nodes were named)',
    text: 'RuntimeError: Method run failed due to: [ONNXRuntimeError] : 1 : GENERAL ERROR : /onnxruntime_src/onnxruntime/core/providers/cpu/math/element_wise_ops.h:332 void onnxruntime::BroadcastIterator::Append(int64_t, int64_t) axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1. 17 by 18',
    form: 'sizes',
    sizes: [17, 18],
  },
  {
    source: 'https://github.com/microsoft/onnxruntime/issues/1670 (sizes that do meet)',
    text: 'INTERNAL - onnx runtime error 1: /workspace/onnxruntime/onnxruntime/core/providers/cpu/math/element_wise_ops.h:324 void onnxruntime::BroadcastIterator::Init(int64_t, int64_t) axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1. 0 by 1',
    form: 'sizes',
    sizes: [0, 1],
    verdict: 'ok',
  },
  {
    source: 'https://github.com/triton-inference-server/onnxruntime_backend/issues/43 (CUDA)',
    text: "[E:onnxruntime:, sequential_executor.cc:333 Execute] Non-zero status code returned while running Add node. Name:'Add_1103' Status Message: Add_1103: right operand cannot broadcast on dim 3 LeftShape: {1,3,20,20,2}, RightShape: {1,1,21,12,2}",
    form: 'shapes',
    shapes: [
      [1, 3, 20, 20, 2],
      [1, 1, 21, 12, 2],
    ],
    where: 'in node "Add_1103" (Add)',
  },
  {
    source: 'https://github.com/enpasos/jax2onnx/issues/52',
    text: 'Error: [ONNXRuntimeError] : 1 : FAIL : Load model from 02_sod_shock_tube/sod.onnx failed:Node (mul_31) Op (Mul) [ShapeInferenceError] Incompatible dimensions',
    form: 'inference',
    where: 'in node "mul_31" (Mul)',
  },
  {
    source: 'ONNX Runtime 1.31.1: Add of (2,3) and (4), shapes open',
    text: "Fail: [ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running Add node. Name:'plus' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/math/element_wise_ops.h:563 void onnxruntime::BroadcastIterator::Init(ptrdiff_t, ptrdiff_t) axis == 1 || axis == largest was false. Attempting to broadcast an axis by a dimension other than 1. 3 by 4",
    form: 'sizes',
    sizes: [3, 4],
    where: 'in node "plus" (Add)',
  },
  {
    source: 'ONNX Runtime 1.31.1: Add of (2,3) and (4), declared',
    text: 'Fail: [ONNXRuntimeError] : 1 : FAIL : Node (plus) Op (Add) [ShapeInferenceError] Incompatible dimensions',
    form: 'inference',
    where: 'in node "plus" (Add)',
  },
  {
    source: 'ONNX 1.23.2: infer_shapes of an Add of (2,3) and (4), strict',
    text: 'InferenceError: [ShapeInferenceError] Inference error(s): (op_type:Add, node name: plus): [ShapeInferenceError] Incompatible dimensions',
    form: 'inference',
    where: 'in node "plus" (Add)',
  },
  {
    source: 'https://github.com/microsoft/onnxruntime/issues/24744',
    text: 'Error: [WebGPU] Kernel "[Add] /model/model.5/conv1/ffc/convg2g/Add" failed. Error: Can\'t perform binary op on the given tensors',
    form: 'web',
    where: 'in node "/model/model.5/conv1/ffc/convg2g/Add" (Add)',
  },
  {
    source: 'ONNX Runtime 1.31.1: Expand of (2,3) to (2,4)',
    text: "InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Non-zero status code returned while running Expand node. Name:'e' Status Message: invalid expand shape",
    form: 'expand',
    where: 'in node "e" (Expand)',
  },
  {
    source: 'ONNX Runtime 1.31.1: Gemm of (2,3) and (3,5) with a C of (4)',
    text: "InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Non-zero status code returned while running Gemm node. Name:'gemm' Status Message: Gemm: Invalid bias shape for broadcast",
    form: 'gemm bias',
    where: 'in node "gemm" (Gemm)',
  },
  {
    source: 'ONNX Runtime 1.31.1: MatMul batch (7,2,3),(6,3,5)',
    text: "Fail: [ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running MatMul node. Name:'mm' Status Message: matmul_helper.h:144 Compute right operand cannot broadcast on dim 0",
    form: 'matmul batch',
    where: 'in node "mm" (MatMul)',
  },
  {
    source: 'ONNX Runtime 1.31.1: Gemm of (2,3) and (4,5)',
    text: "InvalidArgument: [ONNXRuntimeError] : 2 : INVALID_ARGUMENT : Non-zero status code returned while running Gemm node. Name:'gemm' Status Message: GEMM: Dimension mismatch, W: {4,5} K: 3 N:5",
    form: 'gemm',
    about: 'matrix product',
  },
  {
    source: 'ONNX Runtime 1.31.1: MatMul of (2,3) and (4,5), open',
    text: "Fail: [ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running MatMul node. Name:'mm' Status Message: matmul_helper.h:59 Compute MatMul dimension mismatch",
    form: 'matmul',
    about: 'matrix product',
    where: 'in node "mm" (MatMul)',
  },
  {
    source: 'ONNX Runtime 1.31.1: MatMul of (2,3) and (4,5), declared',
    text: 'Fail: [ONNXRuntimeError] : 1 : FAIL : Node (mm) Op (MatMul) [ShapeInferenceError] Incompatible dimensions for matrix multiplication',
    form: 'matmul inference',
    about: 'matrix product',
  },
  {
    source: 'ONNX Runtime 1.31.1: Concat of (2,3) and (2,4) on axis 0',
    text: "Fail: [ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running Concat node. Name:'join' Status Message: concatbase.h:133 PrepareForComputeImpl Non concat axis dimensions must match: Axis 1 has mismatched dimensions of 4 and 3",
    form: 'concat',
    about: 'concatenation',
    where: 'in node "join" (Concat)',
  },
  {
    source: 'ONNX Runtime 1.31.1: Reshape of (6) to (4)',
    text: "Fail: [ONNXRuntimeError] : 1 : FAIL : Non-zero status code returned while running Reshape node. Name:'r' Status Message: /onnxruntime_src/onnxruntime/core/providers/cpu/tensor/reshape_helper.h:91 onnxruntime::ReshapeHelper::ReshapeHelper(const onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) input_shape_size == requested_shape_size was false. The input tensor cannot be reshaped to the requested shape. Input shape:{6}, requested shape:{4}",
    form: 'reshape',
    about: 'reshape',
    where: 'in node "r" (Reshape)',
  },
]
