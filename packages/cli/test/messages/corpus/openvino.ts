import type { Entry } from './entry.ts'

export const openvinoMessages: readonly Entry[] = [
  {
    source: 'https://github.com/bes-dev/random_face/issues/10 (2022.3)',
    text: `RuntimeError: Check 'T::broadcast_merge_into(output_shape, input_shapes[1], autob)' failed at src/core/shape_inference/include/utils.hpp:42:
While validating node 'opset1::Multiply Multiply_10232 (Mul_39_copy[0]:f32[512,512,3,3], Constant_10185[0]:f32[1,512,4,4]) -> (dynamic[...])' with friendly_name 'Multiply_10232':
Argument shapes are inconsistent.`,
    form: 'elementwise',
    shapes: [
      [512, 512, 3, 3],
      [1, 512, 4, 4],
    ],
    where: 'in node "Multiply_10232" (Multiply)',
  },
  {
    source: 'https://github.com/bes-dev/random_face/issues/6 (2022.1: braces)',
    text: `RuntimeError: Check 'PartialShape::broadcast_merge_into(pshape, node->get_input_partial_shape(i), autob)' failed at core/src/op/util/elementwise_args.cpp:30:
While validating node 'v1::Multiply Multiply_9566 (Mul_39_copy[0]:f32{512,512,3,3}, Constant_9519[0]:f32{1,512,4,4}) -> (dynamic...)' with friendly_name 'Multiply_9566':
Argument shapes are inconsistent.`,
    form: 'elementwise',
    shapes: [
      [512, 512, 3, 3],
      [1, 512, 4, 4],
    ],
    where: 'in node "Multiply_9566" (Multiply)',
  },
  {
    source: 'https://github.com/openvinotoolkit/openvino/pull/14735',
    text: "[ ERROR ] Check 'T::broadcast_merge_into(output_shape, input_shapes[1], autob)' failed at ../../../../repos/openvino/src/core/shape_inference/include/utils.hpp:37: While validating node 'v1::Add Add_6127 (Transpose_6110[0]:f32[1,64,56,56], Transpose_6112[0]:f32[1,1,1,64]) -> (dynamic[...])' with friendly_name 'Add_6127': Argument shapes are inconsistent.",
    form: 'elementwise',
    shapes: [
      [1, 64, 56, 56],
      [1, 1, 1, 64],
    ],
    where: 'in node "Add_6127" (Add)',
  },
  {
    source: 'https://github.com/ggml-org/llama.cpp/issues/24415 (2026.0: inputs with their types)',
    text: `ov::Exception: Check 'TRShape::broadcast_merge_into(output_shape, input_shapes[1], autob)' failed at src/core/shape_inference/include/eltwise_shape_inference.hpp:26:
While validating node 'opset1::Divide Divide_3537 (opset1::Constant Constant_3536[0]:f32[1,1,1,128], opset1::Constant rope_freqs.weight[0]:f32[1,256]) -> (dynamic[...])' with friendly_name 'Divide_3537':
Argument shapes are inconsistent.`,
    form: 'elementwise',
    shapes: [
      [1, 1, 1, 128],
      [1, 256],
    ],
    where: 'in node "Divide_3537" (Divide)',
  },
  {
    source: 'https://github.com/openvinotoolkit/openvino/issues/1477',
    text: `  what():  Check 'PartialShape::merge_into(inputs_shape_scheme, this_input_shape)' failed at /home/pi/openvino/ngraph/src/ngraph/op/concat.cpp:90:
While validating node 'v0::Concat Concat_2423(PRelu_2212[0]:f32{1,256,20,34}, Interpolate_2422[0]:f32{1,256,26,26}) -> (f32{1,512,26,26})':
Argument shapes are inconsistent; they must have the same rank, and must have equal dimension everywhere except on the concatenation axis (axis 1).`,
    form: 'concatenation',
    about: 'concatenation',
    where: 'in node "Concat_2423" (Concat)',
  },
  {
    source: 'OpenVINO 2026.4.1: add of (2,3) and (4)',
    text: `RuntimeError: Check 'TRShape::broadcast_merge_into(output_shape, input_shapes[1], autob)' failed at src/core/shape_inference/include/eltwise_shape_inference.hpp:26:
While validating node 'opset1::Add Add_3 (opset1::Parameter Parameter_1[0]:f32[2,3], opset1::Parameter Parameter_2[0]:f32[4]) -> ()' with friendly_name 'Add_3':
Argument shapes are inconsistent.`,
    form: 'elementwise',
    shapes: [[2, 3], [4]],
    where: 'in node "Add_3" (Add)',
  },
  {
    source: 'OpenVINO 2026.4.1: add of (1..5,3) and (4)',
    text: `RuntimeError: Check 'TRShape::broadcast_merge_into(output_shape, input_shapes[1], autob)' failed at src/core/shape_inference/include/eltwise_shape_inference.hpp:26:
While validating node 'opset1::Add Add_9 (opset1::Parameter Parameter_7[0]:f32[1..5,3], opset1::Parameter Parameter_8[0]:f32[4]) -> ()' with friendly_name 'Add_9':
Argument shapes are inconsistent.`,
    form: 'elementwise',
    shapes: [[{ min: 1, max: 5 }, 3], [4]],
  },
  {
    source: 'OpenVINO 2026.4.1: select of (2,3), (4), (1)',
    text: `RuntimeError: Check 'TRShape::broadcast_merge_into(result_shape, input_shapes[input_port], broadcast_spec)' failed at src/core/shape_inference/include/select_shape_inference.hpp:40:
While validating node 'opset1::Select Select_13 (opset1::Parameter Parameter_10[0]:boolean[2,3], opset1::Parameter Parameter_11[0]:f32[4], opset1::Parameter Parameter_12[0]:f32[1]) -> ()' with friendly_name 'Select_13':
Argument shapes are inconsistent.`,
    form: 'elementwise',
    shapes: [[2, 3], [4], [1]],
  },
  {
    source: 'OpenVINO 2026.4.1: add of (2,3) and (3) with auto_broadcast NONE',
    text: `RuntimeError: Check 'TRShape::merge_into(output_shape, input_shapes[1])' failed at src/core/shape_inference/include/eltwise_shape_inference.hpp:22:
While validating node 'opset1::Add Add_32 (opset1::Parameter Parameter_30[0]:f32[2,3], opset1::Parameter Parameter_31[0]:f32[3]) -> ()' with friendly_name 'Add_32':
Argument shapes are inconsistent.`,
    form: 'elementwise',
    shapes: [[2, 3], [3]],
    rule: 'none',
  },
  {
    source: 'OpenVINO 2026.4.1: broadcast of (3) to (2,4)',
    text: `RuntimeError: Check 'arg_shape[i - start_axis].is_dynamic() || target_input_shape[i].is_dynamic() || arg_shape[i - start_axis].compatible(1) || arg_shape[i - start_axis].compatible(target_input_shape[i])' failed at src/core/shape_inference/include/broadcast_shape_inference.hpp:79:
While validating node 'opset3::Broadcast Broadcast_17 (opset1::Parameter Parameter_14[0]:f32[3], opset1::Constant Constant_16[0]:i64[2]) -> ()' with friendly_name 'Broadcast_17':
Input shape dimension equal 3 cannot be broadcasted (numpy mode) to 4. Allowed input dimension value would be 1 or 4`,
    form: 'broadcast',
    sizes: [3, 4],
  },
  {
    source: 'OpenVINO 2026.4.1: matmul of (2,3) and (4,5)',
    text: `RuntimeError: Check 'DimType::merge(merged_dimension, arg0_col_dim, arg1_row_dim) || arg0_col_dim.is_dynamic() || arg1_row_dim.is_dynamic()' failed at src/core/shape_inference/include/matmul_shape_inference.hpp:65:
While validating node 'opset1::MatMul MatMul_23 (opset1::Parameter Parameter_21[0]:f32[2,3], opset1::Parameter Parameter_22[0]:f32[4,5]) -> ()' with friendly_name 'MatMul_23':
Incompatible MatMul matrix dimension. First input dimension=3 at COL_INDEX_DIM=1 doesn't match the second input dimension=4 at ROW_INDEX_DIM=0`,
    form: 'matmul',
    about: 'matrix product',
  },
  {
    source: 'OpenVINO 2026.4.1: matmul of (7,2,3) and (6,3,5)',
    text: `RuntimeError: Check 'DimType::broadcast_merge(output_shape[i], arg0_shape_tmp[i], arg1_shape_tmp[i]) || arg0_shape_tmp[i].is_dynamic() || arg1_shape_tmp[i].is_dynamic()' failed at src/core/shape_inference/include/matmul_shape_inference.hpp:92:
While validating node 'opset1::MatMul MatMul_26 (opset1::Parameter Parameter_24[0]:f32[7,2,3], opset1::Parameter Parameter_25[0]:f32[6,3,5]) -> ()' with friendly_name 'MatMul_26':
Incompatible MatMul batch dimension. Can't merge first input dimension=7 with second input dimension=6 at index=0`,
    form: 'matmul batch',
    shapes: [
      [7, 2, 3],
      [6, 3, 5],
    ],
    rule: 'matmulBatch',
  },
  {
    source: 'OpenVINO 2026.4.1: concat of (2,3) and (2,4) on axis 0',
    text: `RuntimeError: Check 'TRShape::merge_into(output_shape, in_copy)' failed at src/core/shape_inference/include/concat_shape_inference.hpp:43:
While validating node 'opset1::Concat Concat_29 (opset1::Parameter Parameter_27[0]:f32[2,3], opset1::Parameter Parameter_28[0]:f32[2,4]) -> ()' with friendly_name 'Concat_29':
Shape inference input shapes {[2,3],[2,4]}
Argument shapes are inconsistent; they must have the same rank, and must have equal dimension everywhere except on the concatenation axis (axis 0).`,
    form: 'concatenation',
    about: 'concatenation',
  },
  {
    source: 'OpenVINO 2026.4.1: add on the CPU of (2,3) and (2,4), declared dynamic',
    text: `RuntimeError: Exception from src/inference/src/cpp/infer_request.cpp:224:
Exception from src/plugins/intel_cpu/src/node.cpp:794:
[CPU] Add node with name 'Add_35' Check 'input_shape[j] == 1' failed at src/plugins/intel_cpu/src/shape_inference/custom/eltwise.cpp:52:
Eltwise shape infer input shapes dim index: 1 mismatch`,
    form: 'cpu elementwise',
    where: 'in node "Add_35" (Add), on axis 1 from the left',
  },
  {
    source: 'OpenVINO 2026.4.1: matmul on the CPU of (2,3) and (4,5), declared dynamic',
    text: `RuntimeError: Exception from src/inference/src/cpp/infer_request.cpp:224:
Exception from src/plugins/intel_cpu/src/node.cpp:794:
[CPU] MatMul node with name 'MatMul_5325' Check 'k_lhs == k_rhs' failed at src/plugins/intel_cpu/src/shape_inference/custom/matmul.cpp:45:
Matmul input shapes are incompatible shape A: (2.3) shape B: (4.5)`,
    form: 'cpu matmul',
    about: 'matrix product',
  },
  {
    source: 'the last line of the message',
    text: 'Argument shapes are inconsistent.',
    form: 'elementwise alone',
  },
  {
    source: 'the last line of the message, of a concatenation',
    text: 'Argument shapes are inconsistent; they must have the same rank, and must have equal dimension everywhere except on the concatenation axis (axis 1).',
    form: 'concatenation alone',
    about: 'concatenation',
    says: 'the message does not name the shapes.',
  },
  {
    source: 'the last line of the message, of a product',
    text: "Incompatible MatMul matrix dimension. First input dimension=3 at COL_INDEX_DIM=1 doesn't match the second input dimension=4 at ROW_INDEX_DIM=0",
    form: 'matmul alone',
    about: 'matrix product',
    says: 'the last size of the left is 3 and must be the second last of the right, which is 4.',
  },
  {
    source: 'OpenVINO 2026.4.1: matmul on the CPU of (7,2,3) and (6,3,5), declared dynamic',
    text: `RuntimeError: Exception from src/inference/src/cpp/infer_request.cpp:224:
Exception from src/plugins/intel_cpu/src/node.cpp:794:
[CPU] MatMul node with name 'MatMul_5367' Check 'shapeA[i] == 1' failed at src/plugins/intel_cpu/src/shape_inference/custom/matmul.cpp:62:
Incompatible MatMul batch dimension. Cant merge the first input dimension=7 with second input dimension=6 at index=0`,
    form: 'matmul batch alone',
    sizes: [7, 6],
    where: 'in node "MatMul_5367" (MatMul)',
    says: '7 meets 6 on batch axis 0;',
  },
  {
    source: 'the last line of the message, of a Broadcast',
    text: 'Input shape dimension equal 3 cannot be broadcasted (numpy mode) to 4. Allowed input dimension value would be 1 or 4',
    form: 'broadcast alone',
    sizes: [3, 4],
  },
  {
    source: 'OpenVINO 2026.4.1: broadcast of (2,3) to (4)',
    text: `RuntimeError: Check '!(target_rank_length < arg_rank_length)' failed at src/core/shape_inference/include/broadcast_shape_inference.hpp:71:
While validating node 'opset3::Broadcast Broadcast_17 (opset1::Parameter Parameter_14[0]:f32[2,3], opset1::Constant Constant_16[0]:i64[1]) -> ()' with friendly_name 'Broadcast_17':
Broadcast target_shape has smaller rank 1 than arg shape 2`,
    form: 'broadcast rank',
    where: 'in node "Broadcast_17" (Broadcast)',
    says: 'the data has 2 axes and the target 1 axis',
  },
  {
    source: 'OpenVINO 2026.4.1: broadcast of (3) to (2,4), bidirectional',
    text: `RuntimeError: Check 'DimType::broadcast_merge(result_shape[i], arg_shape_vec[i], target_input_shape[i])' failed at src/core/shape_inference/include/broadcast_shape_inference.hpp:150:
While validating node 'opset3::Broadcast Broadcast_21 (opset1::Parameter Parameter_18[0]:f32[3], opset1::Constant Constant_20[0]:i64[2]) -> ()' with friendly_name 'Broadcast_21':
Broadcast incorrect target shape. Expecting either 1 or 3. Got 4`,
    form: 'broadcast both ways',
    sizes: [3, 4],
  },
  {
    source: 'OpenVINO 2026.4.1: broadcast of (3) to (2,4), explicit, axis 1',
    text: `RuntimeError: Check 'target_input_shape[axes_mapping_val[i]].compatible(arg_shape[i]) || arg_shape[i].compatible(1)' failed at src/core/shape_inference/include/broadcast_shape_inference.hpp:49:
While validating node 'opset3::Broadcast Broadcast_27 (opset1::Parameter Parameter_22[0]:f32[3], opset1::Constant Constant_24[0]:i64[2], opset1::Constant Constant_26[0]:i64[1]) -> ()' with friendly_name 'Broadcast_27':
Broadcast target[axes_mapping[0]] Expected 3. Got 4`,
    form: 'broadcast by axes',
    sizes: [3, 4],
    where: 'in node "Broadcast_27" (Broadcast)',
    says: 'where axis 0 of the data was to go',
  },
  {
    source: 'OpenVINO 2026.4.1: einsum ij,jk->ik of (2,3) and (4,5)',
    text: `RuntimeError: Check 'TRShape::broadcast_merge_into(label_to_shape[label_it.first], label_it.second, op::AutoBroadcastType::NUMPY)' failed at src/core/shape_inference/include/einsum_shape_inference.hpp:90:
While validating node 'opset7::Einsum Einsum_61 (opset1::Parameter Parameter_59[0]:f32[2,3], opset1::Parameter Parameter_60[0]:f32[4,5]) -> ()' with friendly_name 'Einsum_61':
Different input dimensions indicated by the same labels for Einsum must be broadcastable.`,
    form: 'einsum',
    where: 'in node "Einsum_61" (Einsum)',
    says: 'the inputs are (2,3) and (4,5)',
  },
  {
    source: 'the last line of the message, on the CPU',
    text: 'Eltwise shape infer input shapes dim index: 1 mismatch',
    form: 'cpu elementwise alone',
    where: 'on axis 1 from the left',
  },
  {
    source: 'OpenVINO 2026.4.1: concat on the CPU of (2,3) and (2,4), declared dynamic',
    text: `[CPU] Concat node with name 'Concat_15931' Check 'TRShape::merge_into(output_shape, in_copy)' failed at src/core/shape_inference/include/concat_shape_inference.hpp:43:
While validating node 'opset1::Concat Concat_15931 (opset1::Parameter Parameter_15929[0]:f32[?,?], opset1::Parameter Parameter_15930[0]:f32[?,?]) -> (f32[?,?])' with friendly_name 'Concat_15931':
Shape inference input shapes {{2,3},{2,4}}
Argument shapes are inconsistent; they must have the same rank, and must have equal dimension everywhere except on the concatenation axis (axis 0).`,
    form: 'concatenation',
    about: 'concatenation',
    says: 'inputs (2,3) and (2,4).',
  },
  {
    source: 'openvinotoolkit/openvino#13527',
    text: `openvino_asr_model.cc:262] error when encoder infer failed: Check 'false' failed at plugins/intel_cpu/src/nodes/eltwise.cpp:1906:
Can't compute static output shape for Eltwise node with name: Add_132. Input shapes = ( 0 port = {1, 8, 16, 16}, 1 port = {1, 8, 16, 0}, ). Output shape = ( {1,8,16,?} )`,
    form: 'cpu static',
    shapes: [
      [1, 8, 16, 16],
      [1, 8, 16, 0],
    ],
  },
  {
    source: 'PINTO0309/OpenVINO-YoloV3#74',
    text: `While validating node 'v0::Concat Concat_1033 (up_sampling2d/resize/ResizeNearestNeighbor[0]:f32{1,256,6122752255950179772,0}, add_18/add[0]:f32{1,512,26,26}) -> (dynamic?)' with friendly_name 'Concat_1033':
Argument shapes are inconsistent; they must have the same rank, and must have equal dimension everywhere except on the concatenation axis (axis 1).`,
    form: 'concatenation',
    about: 'concatenation',
    says: '6122752255950179772',
  },
]
