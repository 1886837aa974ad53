import type { Entry } from './entry.ts'

export const tensorflowMessages: readonly Entry[] = [
  {
    source: 'https://github.com/tensorflow/tensorflow/issues/6844',
    text: `InvalidArgumentError: Incompatible shapes: [3,4] vs. [1,2]
	 [[Node: gradients/add_grad/BroadcastGradientArgs = BroadcastGradientArgs[T=DT_INT32, _device="/job:localhost/replica:0/task:0/cpu:0"](gradients/add_grad/Shape, gradients/add_grad/Shape_1)]]`,
    form: 'incompatible',
    shapes: [
      [3, 4],
      [1, 2],
    ],
    where: 'in gradients/add_grad/BroadcastGradientArgs',
  },
  {
    source: 'https://github.com/tensorflow/tensorflow/issues/34931',
    text: `InvalidArgumentError:  Incompatible shapes: [32,64,64] vs. [32,64]
	 [[node BroadcastGradientArgs_4 (defined at <ipython-input-3-ad43ee668564>:28) ]] [Op:__inference_distributed_function_743]`,
    form: 'incompatible',
    shapes: [
      [32, 64, 64],
      [32, 64],
    ],
    where: 'in BroadcastGradientArgs_4',
  },
  {
    source: 'https://github.com/dennybritz/chatbot-retrieval/issues/86',
    text: `tensorflow.python.framework.errors_impl.InvalidArgumentError: Incompatible shapes: [730,5] vs. [30,5]
         [[{{node gradients/Add_4_grad/BroadcastGradientArgs}}]]`,
    form: 'incompatible',
    shapes: [
      [730, 5],
      [30, 5],
    ],
    where: 'in gradients/Add_4_grad/BroadcastGradientArgs',
  },
  {
    source: 'https://github.com/tensorflow/tensorflow/issues/98183',
    text: '{{function_node __wrapped__BroadcastArgs_device_/job:localhost/replica:0/task:0/device:CPU:0}} Incompatible shapes: [2,5,2] vs. [4,6,5] [Op:BroadcastArgs]',
    form: 'incompatible',
    shapes: [
      [2, 5, 2],
      [4, 6, 5],
    ],
    where: 'in BroadcastArgs',
  },
  {
    source: 'https://github.com/onnx/tutorials/issues/55',
    text: "tensorflow.python.framework.errors_impl.InvalidArgumentError: Dimensions must be equal, but are 16 and 64 for 'Add_1' (op: 'Add') with input shapes: [?,64,?,16], [1,1,1,64].",
    form: 'graph',
    shapes: [
      [null, 64, null, 16],
      [1, 1, 1, 64],
    ],
    where: 'in Add_1 (Add)',
  },
  {
    source: 'https://github.com/AirBernard/Scene-Text-Detection-with-SPCNET/issues/10',
    text: "ValueError: Dimensions must be equal, but are 32 and 256 for 'P5/TCM_Module/BroadcastTo' (op: 'BroadcastTo') with input shapes: [?,32,32], [4] and with input tensors computed as partial shapes: input[1] = [?,32,32,256].",
    form: 'graph',
    shapes: [
      [null, 32, 32, 256],
      [null, 32, 32],
    ],
    rule: 'unidirectional',
    where: 'in P5/TCM_Module/BroadcastTo (BroadcastTo); A is the target, B the tensor',
  },
  {
    source: 'https://github.com/tensorflow/tensorflow/issues/62187',
    text: `ValueError: Dimension 0 in both shapes must be equal, but are 9 and 1. Shapes are [9,10] and [1,10].
    	From merging shape 0 with other shapes. for '{{node AddN}} = AddN[N=2, T=DT_FLOAT](x, y)' with input shapes: [9,10], [1,10].`,
    form: 'equal shapes',
    shapes: [
      [9, 10],
      [1, 10],
    ],
    rule: 'none',
  },
  {
    source: 'https://github.com/RyanSaxe/mtg/issues/7',
    text: 'INVALID_ARGUMENT: required broadcastable shapes',
    form: 'silent',
  },
  {
    source: 'https://github.com/tensorflow/tensorflow/issues/3534',
    text: 'UnimplementedError: Broadcast between [50,1,20,10] and [50,30,20,1] is not supported yet.',
    form: 'not supported',
    shapes: [
      [50, 1, 20, 10],
      [50, 30, 20, 1],
    ],
    verdict: 'ok',
  },
  {
    source: 'https://github.com/tensorflow/tensorflow/issues/27850',
    text: `InvalidArgumentError (see above for traceback): invalid shape to broadcast from [2,1,100,32,32,3] to [2,10,100,32,32,3]
         [[node BroadcastTo_1 (defined at <ipython-input-10-49d2a4dce7c3>:1) ]]`,
    form: 'broadcast_to',
    shapes: [
      [2, 10, 100, 32, 32, 3],
      [2, 1, 100, 32, 32, 3],
    ],
    rule: 'unidirectional',
    verdict: 'ok',
  },
  {
    source: 'https://github.com/williamFalcon/pix2pix-keras/issues/7',
    text: 'ValueError: Operands could not be broadcast together with shapes (4, 4, 1024) (1, 4, 512)',
    form: 'keras merge',
    shapes: [
      [4, 4, 1024],
      [1, 4, 512],
    ],
  },
  {
    source: 'https://github.com/Attila94/refinenet-keras/issues/7',
    text: `      File "D:\\-inst\\Python\\Python373\\lib\\site-packages\\keras\\layers\\merge.py", line 61, in _compute_elemwise_op_output_shape
        str(shape1) + ' ' + str(shape2))
**ValueError: Operands could not be broadcast together with shapes (136, 240, 256) (135, 240, 256)**`,
    form: 'keras merge',
    shapes: [
      [136, 240, 256],
      [135, 240, 256],
    ],
  },
  {
    source: 'TensorFlow 2.21.0: tf.ones([2,3]) + tf.ones([4])',
    text: 'InvalidArgumentError: {{function_node __wrapped__AddV2_device_/job:localhost/replica:0/task:0/device:CPU:0}} Incompatible shapes: [2,3] vs. [4] [Op:AddV2] name: ',
    form: 'incompatible',
    shapes: [[2, 3], [4]],
    where: 'in AddV2',
  },
  {
    source: 'TensorFlow 2.21.0: tf.function(lambda a, b: a + b), shapes not declared',
    text: `InvalidArgumentError: Graph execution error:

Detected at node add defined at (most recent call last):
  File "train.py", line 5, in <lambda>

Incompatible shapes: [2,3] vs. [4]
	 [[{{node add}}]] [Op:__inference_g2_56]`,
    form: 'incompatible',
    shapes: [[2, 3], [4]],
    where: 'in add',
  },
  {
    source: 'TensorFlow 2.21.0: tf.broadcast_to(tf.ones([3]), [2,4])',
    text: 'InvalidArgumentError: {{function_node __wrapped__BroadcastTo_device_/job:localhost/replica:0/task:0/device:CPU:0}} Incompatible shapes: [3] vs. [2,4] [Op:BroadcastTo]',
    form: 'incompatible',
    shapes: [[2, 4], [3]],
    rule: 'unidirectional',
  },
  {
    source: 'TensorFlow 2.21.0: tf.where(tf.ones([2,3]) > 0, tf.ones([4]), tf.ones([5]))',
    text: 'InvalidArgumentError: {{function_node __wrapped__SelectV2_device_/job:localhost/replica:0/task:0/device:CPU:0}} condition [2,3], then [4], and else [5] must be broadcastable [Op:SelectV2] name: ',
    form: 'select',
    shapes: [[2, 3], [4], [5]],
  },
  {
    source: 'TensorFlow 2.21.0: tf.broadcast_static_shape(tf.TensorShape([2,3]), tf.TensorShape([4]))',
    text: 'ValueError: Incompatible shapes for broadcasting. Two shapes are compatible if for each dimension pair they are either equal or one of them is 1. Received: (2, 3) and (4,).',
    form: 'static',
    shapes: [[2, 3], [4]],
  },
  {
    source: 'TensorFlow 2.21.0: tf.function(lambda a, b: a + b), shapes declared',
    text: `ValueError: in user code:

    File "train.py", line 160, in g  *
        def g(a,b): return a+b

    ValueError: Dimensions must be equal, but are 3 and 4 for '{{node add}} = AddV2[T=DT_FLOAT](a, b)' with input shapes: [?,3], [4].`,
    form: 'graph',
    shapes: [[null, 3], [4]],
    where: 'in add (AddV2)',
  },
  {
    source: 'TensorFlow 2.21.0: tf.function(tf.matmul), shapes declared',
    text: "ValueError: Dimensions must be equal, but are 3 and 4 for '{{node MatMul}} = MatMul[T=DT_FLOAT, grad_a=false, grad_b=false, transpose_a=false, transpose_b=false](a, b)' with input shapes: [2,3], [4,5].",
    form: 'graph',
    about: 'matrix product',
  },
  {
    source: 'TensorFlow 2.21.0: tf.matmul(tf.ones([2,3]), tf.ones([4,5]))',
    text: 'InvalidArgumentError: {{function_node __wrapped____MklMatMul_device_/job:localhost/replica:0/task:0/device:CPU:0}} Matrix size-incompatible: In[0]: [2,3], In[1]: [4,5] [Op:MatMul] name: ',
    form: 'matmul',
    about: 'matrix product',
  },
  {
    source: 'TensorFlow 2.21.0: tf.matmul(tf.ones([7,2,3]), tf.ones([6,3,5]))',
    text: 'InvalidArgumentError: {{function_node __wrapped____MklBatchMatMulV2_device_/job:localhost/replica:0/task:0/device:CPU:0}} In[0] and In[1] must have compatible batch dimensions: [7,2,3] vs. [6,3,5] [Op:BatchMatMulV2] name: ',
    form: 'matmul batch',
    shapes: [
      [7, 2, 3],
      [6, 3, 5],
    ],
    rule: 'matmulBatch',
  },
  {
    source: 'TensorFlow 2.21.0: tf.concat([tf.ones([2,3]), tf.ones([2,4])], 0)',
    text: 'InvalidArgumentError: {{function_node __wrapped__ConcatV2_N_2_device_/job:localhost/replica:0/task:0/device:CPU:0}} ConcatOp : Dimension 1 in both shapes must be equal: shape[0] = [2,3] vs. shape[1] = [2,4] [Op:ConcatV2] name: concat',
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'https://github.com/12dmodel/deep_motion_mag/issues/12',
    text: 'InvalidArgumentError (see above for traceback): ConcatOp : Dimensions of inputs should match: shape[0] = [1,360,248,32] vs. shape[1] = [1,360,247,32]',
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'TensorFlow 2.21.0: tf.reshape(tf.ones([6]), [4])',
    text: 'InvalidArgumentError: {{function_node __wrapped__Reshape_device_/job:localhost/replica:0/task:0/device:CPU:0}} Input to reshape is a tensor with 6 values, but the requested shape has 4 [Op:Reshape]',
    form: 'reshape',
    about: 'reshape',
  },
  {
    source: 'TensorFlow 2.21.0: tf.add_n([tf.ones([9,10]), tf.ones([1,10])])',
    text: 'InvalidArgumentError: {{function_node __wrapped__AddN_N_2_device_/job:localhost/replica:0/task:0/device:CPU:0}} Inputs to operation AddN of type AddN must have the same size and shape.  Input 0: [9,10] != input 1: [1,10] [Op:AddN] name: ',
    form: 'equal shapes',
    shapes: [
      [9, 10],
      [1, 10],
    ],
    rule: 'none',
  },
  {
    source: 'Keras 3.15.1: Add()([Input((32,32,64)), Input((16,16,64))])',
    text: 'ValueError: Inputs have incompatible shapes. Received shapes (32, 32, 64) and (16, 16, 64)',
    form: 'keras 3 merge',
    shapes: [
      [32, 32, 64],
      [16, 16, 64],
    ],
  },
  {
    source: 'Keras 3.15.1: Input((3,)) + Input((4,))',
    text: 'ValueError: Cannot broadcast shape, the failure dim has value 3, which cannot be broadcasted to 4. Input shapes are: [None, 3] and [None, 4].',
    form: 'keras operator',
    shapes: [
      [null, 3],
      [null, 4],
    ],
  },
  {
    source: 'Keras 3.15.1: Concatenate(axis=1)([Input((3,4)), Input((3,5))])',
    text: 'ValueError: A `Concatenate` layer requires inputs with matching shapes except for the concatenation axis. Received: input_shape=[(None, 3, 4), (None, 3, 5)]',
    form: 'keras concatenation',
    about: 'concatenation',
  },
  {
    source: 'https://github.com/tensorflow/tensorflow/issues/44946',
    text: 'ValueError: Shapes (None, 1) and (None, 10) are incompatible',
    form: 'merged shapes',
    shapes: [
      [null, 1],
      [null, 10],
    ],
    rule: 'none',
  },
  {
    source: 'https://github.com/keras-team/keras/issues/14341',
    text: 'ValueError: Shapes (None, None) and (None, 7, 7, 67) are incompatible',
    form: 'merged shapes',
    shapes: [
      [null, null],
      [null, 7, 7, 67],
    ],
    rule: 'none',
  },
  {
    source: 'TensorFlow 2.21.0: tf.TensorShape([None,10]).assert_is_compatible_with(tf.TensorShape([None,1]))',
    text: 'ValueError: Shapes (None, 10) and (None, 1) are incompatible',
    form: 'merged shapes',
    shapes: [
      [null, 10],
      [null, 1],
    ],
    rule: 'none',
  },
  {
    source: 'TensorFlow 2.21.0: tf.nn.softmax_cross_entropy_with_logits(tf.ones([32,9]), tf.ones([32,10]))',
    text: 'InvalidArgumentError: {{function_node __wrapped__SoftmaxCrossEntropyWithLogits_device_/job:localhost/replica:0/task:0/device:CPU:0}} logits and labels must be broadcastable: logits_size=[32,10] labels_size=[32,9] [Op:SoftmaxCrossEntropyWithLogits] name: ',
    form: 'softmax loss',
    shapes: [
      [32, 10],
      [32, 9],
    ],
    where: 'A is the logits, B the labels',
  },
  {
    source: 'TensorFlow 2.21.0: tf.nn.sigmoid_cross_entropy_with_logits(tf.ones([4,1]), tf.ones([4,10]))',
    text: 'ValueError: `logits` and `labels` must have the same shape, received ((4, 10) vs (4, 1)).',
    form: 'loss',
    shapes: [
      [4, 10],
      [4, 1],
    ],
    rule: 'none',
    where: 'no broadcast: this loss wants equal shapes, and a size 1 does not stretch; A is the logits, B the labels',
  },
  {
    source: 'Keras 2 with the loss binary_crossentropy',
    text: 'ValueError: `logits` and `labels` must have the same shape, received ((None, 10) vs (None, 1)).',
    form: 'loss',
    shapes: [
      [null, 10],
      [null, 1],
    ],
    rule: 'none',
  },
  {
    source: 'Keras 2 with the loss binary_crossentropy, before quotes',
    text: 'ValueError: logits and labels must have the same shape ((None, 10) vs (None, 1))',
    form: 'loss',
    shapes: [
      [null, 10],
      [null, 1],
    ],
    rule: 'none',
  },
  {
    source: 'Keras 3.15.1: a model of 10 outputs with the loss categorical_crossentropy, fitted to 1',
    text: 'ValueError: Arguments `target` and `output` must have the same shape. Received: target.shape=(None, 1), output.shape=(None, 10)',
    form: 'keras 3 loss',
    shapes: [
      [null, 10],
      [null, 1],
    ],
    rule: 'none',
  },
  {
    source: 'TensorFlow 2.21.0: tf.broadcast_to(tf.ones([5,1]), [1,2])',
    text: 'InvalidArgumentError: {{function_node __wrapped__BroadcastTo_device_/job:localhost/replica:0/task:0/device:CPU:0}} Unable to broadcast tensor of shape [5,1] to tensor of shape [1,2] [Op:BroadcastTo]',
    form: 'broadcast_to',
    shapes: [
      [1, 2],
      [5, 1],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'TensorFlow, broadcast_to_op.cc: other shapes',
    text: 'Unable to broadcast tensor of shape [3] to tensor of shape [2,4] [Op:BroadcastTo]',
    form: 'broadcast_to',
    shapes: [[2, 4], [3]],
    rule: 'unidirectional',
  },
  {
    source:
      'TensorFlow 2.21.0: tf.function(lambda a: tf.broadcast_to(a, [2,4]), jit_compile=True), shapes not declared',
    text: `InvalidArgumentError: Invalid shape broadcast from f32[3] to [2,4]

	 [[{{node BroadcastTo}}]]
	tf2xla conversion failed while converting __inference_f_149`,
    form: 'broadcast_to',
    shapes: [[2, 4], [3]],
    rule: 'unidirectional',
  },
  {
    source: 'TensorFlow 2.21.0: tf.broadcast_to(tf.ones([2,3]), [3])',
    text: 'InvalidArgumentError: {{function_node __wrapped__BroadcastTo_device_/job:localhost/replica:0/task:0/device:CPU:0}} Rank of input (2) must be no greater than rank of output shape (1). [Op:BroadcastTo]',
    form: 'broadcast_to rank',
  },
  {
    source: 'XLA, shape_inference.cc',
    text: 'InvalidArgumentError: Binary op add with incompatible shapes: f32[2,3] and f32[4,5].',
    form: 'xla',
    shapes: [
      [2, 3],
      [4, 5],
    ],
    where: 'in XLA, in add',
  },
  {
    source: 'XLA, shape_inference.cc since 2024',
    text: 'INVALID_ARGUMENT: Binary op with incompatible shapes: f32[2,3] and f32[4,5].',
    form: 'xla',
    shapes: [
      [2, 3],
      [4, 5],
    ],
    where: 'in XLA',
  },
  {
    source: 'TensorFlow 2.21.0: tf.stack([tf.ones([3]), tf.ones([4])])',
    text: 'InvalidArgumentError: {{function_node __wrapped__Pack_N_2_device_/job:localhost/replica:0/task:0/device:CPU:0}} Shapes of all inputs must match: values[0].shape = [3] != values[1].shape = [4] [Op:Pack] name: stack',
    form: 'equal shapes',
    shapes: [[3], [4]],
    rule: 'none',
  },
  {
    source: 'TensorFlow 2.21.0: tf.Variable(tf.ones([3])).assign_add(tf.ones([4]))',
    text: 'InvalidArgumentError: {{function_node __wrapped__AssignAddVariableOp_device_/job:localhost/replica:0/task:0/device:CPU:0}} Cannot update variable with shape [3] using a Tensor with shape [4], shapes must be equal. [Op:AssignAddVariableOp] name: ',
    form: 'variable',
    shapes: [[3], [4]],
    rule: 'none',
  },
  {
    source: 'TensorFlow 2.21.0: tf.concat([tf.ones([2,3]), tf.ones([2,3,4])], 0)',
    text: 'InvalidArgumentError: {{function_node __wrapped__ConcatV2_N_2_device_/job:localhost/replica:0/task:0/device:CPU:0}} ConcatOp : Ranks of all input tensors should match: shape[0] = [2,3] vs. shape[1] = [2,3,4] [Op:ConcatV2] name: concat',
    form: 'concat ranks',
    about: 'concatenation',
    says: '[2,3] and [2,3,4] have different numbers of axes.',
  },
  {
    source: 'TensorFlow 2.21.0: tf.Variable(tf.ones([3])).assign(tf.ones([4]))',
    text: "ValueError: Cannot assign value to variable ' Variable:0': Shape mismatch.The variable shape (3,), and the assigned value shape (4,) are incompatible.",
    form: 'variable',
    shapes: [[3], [4]],
    rule: 'none',
  },
  {
    source: 'JiahuiYu/generative_inpainting#533',
    text: 'tensorflow.python.framework.errors_impl.InvalidArgumentError: required broadcastable shapes [Op:Mul]',
    form: 'silent',
  },
  {
    source: 'Moplast/TasNet-tensorflow#3',
    text: `tensorflow.python.framework.errors_impl.InvalidArgumentError: Incompatible shapes: [12,100,2,40] vs. [12,400,1,1]
	 [[node gradients/mul_grad/BroadcastGradientArgs ]]`,
    form: 'incompatible',
    shapes: [
      [12, 100, 2, 40],
      [12, 400, 1, 1],
    ],
  },
  {
    source: 'dennybritz/chatbot-retrieval#26',
    text: 'InvalidArgumentError (see above for traceback): Incompatible shapes: [80,1] vs. [160,1]',
    form: 'incompatible',
    shapes: [
      [80, 1],
      [160, 1],
    ],
  },
  {
    source: 'harsh19/Shakespearizing-Modern-English#1',
    text: `InvalidArgumentError (see above for traceback): Incompatible shapes: [32,24] vs. [27,24]
	 [[node gradients/decoder/Mul_grad/BroadcastGradientArgs ]]`,
    form: 'incompatible',
    shapes: [
      [32, 24],
      [27, 24],
    ],
  },
  {
    source: 'min2209/dwt#12',
    text: `tensorflow.python.framework.errors_impl.InvalidArgumentError: Incompatible shapes: [1,512,1024,3] vs. [1,512,1024,4,1]
	 [[Node: model_builder/mul = Mul[T=DT_FLOAT, _device="/job:localhost/replica:0/task:0/cpu:0"](_arg_Placeholder_0_0, model_builder/ExpandDims)]]`,
    form: 'incompatible',
    shapes: [
      [1, 512, 1024, 3],
      [1, 512, 1024, 4, 1],
    ],
  },
  {
    source: 'WHUIR/MGNM#5',
    text: `tensorflow.python.framework.errors_impl.InvalidArgumentError: Incompatible shapes: [256] vs. [252]
         [[{{node gradients/logistic_loss_3/mul_grad/BroadcastGradientArgs}}]]`,
    form: 'incompatible',
    shapes: [[256], [252]],
  },
  {
    source: 'endernewton/tf-faster-rcnn#255',
    text: `2017-12-04 15:09:43.989292: W tensorflow/core/framework/op_kernel.cc:1192] Invalid argument: Incompatible shapes: [1,35,63,36] vs. [300,116]
	 [[Node: gradients/sub_1_grad/BroadcastGradientArgs = BroadcastGradientArgs[T=DT_INT32, _device="/job:localhost/replica:0/task:0/gpu:0"](gradients/sub_1_grad/Shape, gradients/sub_1_grad/Shape_1/_1069)]]`,
    form: 'incompatible',
    shapes: [
      [1, 35, 63, 36],
      [300, 116],
    ],
  },
  {
    source: 'alisure-ml/tensorflow-classification-network#3',
    text: "Dimensions must be equal, but are 192 and 384 for 'fc2/Add' (op: 'Add') with input shapes: [32,192], [384]",
    form: 'graph',
    shapes: [[32, 192], [384]],
  },
  {
    source: 'RasaHQ/rasa#3733',
    text: "ValueError: Dimensions must be equal, but are 14 and 13 for 'position__embedding_1/add' (op: 'Add') with input shapes: [?,5,14], [?,5,13].",
    form: 'graph',
    shapes: [
      [null, 5, 14],
      [null, 5, 13],
    ],
  },
  {
    source: 'Plrbear/HGR-Net#3',
    text: "ValueError: Dimension 0 in both shapes must be equal, but are 64 and 32. Shapes are [64] and [32]. for 'Assign_22' (op: 'Assign') with input shapes: [64], [32]",
    form: 'equal inputs',
    shapes: [[64], [32]],
    rule: 'none',
  },
  {
    source: 'Kyubyong/quasi-rnn#5',
    text: "ValueError: Dimensions must be equal, but are 16 and 0 for 'quasi_conv1d_7_1/add_2' (op: 'Add') with input shapes: [16,150,320], [0,150,320].",
    form: 'graph',
    shapes: [
      [16, 150, 320],
      [0, 150, 320],
    ],
  },
  {
    source: 'vinojjayasundara/textcaps#4',
    text: "ValueError: Dimensions must be equal, but are 128 and 47 for 'digitcaps/add' (op: 'Add') with input shapes: [?,47,47,128,16], [47,16].",
    form: 'graph',
    shapes: [
      [null, 47, 47, 128, 16],
      [47, 16],
    ],
  },
  {
    source: 'jinyu121/DW2TF#53',
    text: "ValueError: Dimension 2 in both shapes must be equal, but are 148 and 147. Shapes are [?,260,148] and [?,260,147]. for 'network/route2' (op: 'ConcatV2') with input shapes: [?,260,148,256], [?,260,147,512], [] and with computed input tensors: input[2] = <-1>.",
    form: 'equal inputs',
    about: 'concatenation',
  },
  {
    source: 'PacktPublishing/Deep-Learning-for-Computer-Vision#8',
    text: `\`
ValueError: Dimensions must be equal, but are 64 and 128 for 'add_1' (op: 'Add') with input shapes: [64], [128].
\``,
    form: 'graph',
    shapes: [[64], [128]],
  },
  {
    source: 'matterport/Mask_RCNN#2712',
    text: "ValueError: Dimension 1 in both shapes must be equal, but are 40 and 24. Shapes are [1024,40] and [1024,24]. for 'Assign_682' (op: 'Assign') with input shapes: [1024,40], [1024,24].",
    form: 'equal inputs',
    shapes: [
      [1024, 40],
      [1024, 24],
    ],
    rule: 'none',
  },
  {
    source: 'brjathu/deepcaps#14',
    text: "InvalidArgumentError: Dimensions must be equal, but are 2560 and 10 for 'digit_caps_2/add' (op: 'AddV2') with input shapes: [?,10,10,2560,32], [10,32].",
    form: 'graph',
    shapes: [
      [null, 10, 10, 2560, 32],
      [10, 32],
    ],
  },
  {
    source: 'rizkiarm/LipNet#3',
    text: "ValueError: Dimension 0 in both shapes must be equal, but are 512 and 256 for 'Assign_12' (op: 'Assign') with input shapes: [512,768], [256,768].",
    form: 'equal inputs',
    shapes: [
      [512, 768],
      [256, 768],
    ],
    rule: 'none',
  },
  {
    source: 'ShaoQiBNU/CV-SPPnet#2',
    text: "ValueError: Dimensions must be equal, but are 1 and 3 for 'Conv2D' (op: 'Conv2D') with input shapes: [?,60,100,1], [11,11,3,96].",
    form: 'graph',
    about: 'equal sizes',
  },
  {
    source: 'keras-team/keras#12870',
    text: 'ValueError: Error when checking target: expected flatten_1 to have shape (10,) but got array with shape (11,)',
    form: 'keras input',
    about: 'declared shape',
  },
  {
    source: 'keras-team/keras#11402',
    text: '"Error when checking target: expected dense_4 to have shape (1,) but got array with shape (10,)"',
    form: 'keras input',
    about: 'declared shape',
  },
  {
    source: 'OlafenwaMoses/ImageAI#141',
    text: 'ValueError: Error when checking target: expected activation_49 to have shape (3,) but got array with shape (5,)',
    form: 'keras input',
    about: 'declared shape',
  },
  {
    source: 'tensorflow/tfjs#7398',
    text: `Error: Session fail to run with error: {{function_node __inference_pruned_8038}} {{function_node 
__inference_pruned_8038}} ConcatOp : Dimensions of inputs 
should match: shape[0] = [1,40,40,256] vs. shape[1] = [1,32,32,256]`,
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'tensorflow/tfjs#6125',
    text: `Error: Invalid TF_Status: 3
Message: ConcatOp : Dimensions of inputs should match: shape[0] = [1,0,2,3] vs. shape[1] = [1,2,4,3]`,
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'mandiant/tf_rl_tutorial#1',
    text: 'ValueError: Shapes (2, ?) and () are incompatible',
    form: 'merged shapes',
    shapes: [[2, null], []],
    rule: 'none',
  },
  {
    source: 'lmb-freiburg/mv3d#15',
    text: "Dimension 1 in both shapes must be equal, but are 4096 and 64. Shapes are [64,4096] and [64,64]. From merging shape 0 with other shapes. for 'concat/concat_dim' (op: 'Pack') with input shapes: [64,409",
    form: 'equal shapes',
    shapes: [
      [64, 4096],
      [64, 64],
    ],
    rule: 'none',
  },
  {
    source: 'tensorflow/tensorflow#113503',
    text: 'ValueError: Matrix size-incompatible: In[0]: [1,2], In[1]: [3]. The inner dimensions (2 and 3) must match. MatMul requires both inputs to be at least 2D.',
    form: 'matmul',
    about: 'matrix product',
  },
  {
    source: 'yoheikikuta/senet-keras#1',
    text: 'ValueError: Only tensors of same shape can be merged by layermultiply_1 Got input shapes: [(None, 96, 96, 64), (None, 1, 1, 64)]',
    form: 'keras equal merge',
    shapes: [
      [null, 96, 96, 64],
      [null, 1, 1, 64],
    ],
    rule: 'none',
  },
  {
    source: 'lucktroy/DeepST#32',
    text: 'ValueError: Only layers of same output shape can be merged using sum mode. Layer shapes: [(None, 6, 32, 2), (None, 2, 32, 32)]',
    form: 'keras equal merge',
    shapes: [
      [null, 6, 32, 2],
      [null, 2, 32, 32],
    ],
    rule: 'none',
  },
  {
    source: 'zhenngbolun/Learnbale_Bandpass_Filter#6',
    text: 'ValueError: Only tensors of same shape can be merged by layermultiply_5 Got input shapes: [(None, None, None, 256), (None, 256)',
    form: 'keras equal merge',
    shapes: [
      [null, null, null, 256],
      [null, 256],
    ],
    rule: 'none',
  },
  {
    source: 'cqu-isse/CARLCS-CNN#1',
    text: `    (logits.get_shape(), labels.get_shape()))
ValueError: logits and labels must have the same shape ((?, 100, 100) vs (?, ?))`,
    form: 'loss',
    shapes: [
      [null, 100, 100],
      [null, null],
    ],
    rule: 'none',
  },
  {
    source: 'Vishal-V/GSoC-TensorFlow-2019#4',
    text: 'ValueError: logits and labels must have the same shape ((128, 1) vs ())',
    form: 'loss',
    shapes: [[128, 1], []],
    rule: 'none',
  },
  {
    source: 'keras-team/keras#16228',
    text: 'ValueError: Shapes (None, 7) and (None, 1, 7) are incompatible',
    form: 'merged shapes',
    shapes: [
      [null, 7],
      [null, 1, 7],
    ],
    rule: 'none',
  },
  {
    source: 'keras-team/keras#10407',
    text: 'ValueError: Error when checking target: expected concatenate_1 to have shape (20,) but got array with shape (10,)',
    form: 'keras input',
    about: 'declared shape',
  },
  {
    source: 'javaidnabi31/Multi-Label-Text-classification-Using-BERT#14',
    text: `ValueError: Dimensions 6 and 11 are not compatible

During handling of the above exception, another exception occurred:`,
    form: 'merged sizes',
    about: 'equal sizes',
  },
  {
    source: 'BUPT-GAMMA/CIAH#2',
    text: 'tensorflow.python.framework.errors_impl.InvalidArgumentError: ConcatOp : Dimensions of inputs should match: shape[0] = [4026,1,16] vs. shape[2] = [7168,3,16] [Op:ConcatV2] name: concat',
    form: 'concat',
    about: 'concatenation',
  },
]
