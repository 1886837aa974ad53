import type { Entry } from './entry.ts'

export const numpyMessages: readonly Entry[] = [
  {
    source: 'https://github.com/MVIG-SJTU/WSHP/issues/10',
    text: `Traceback (most recent call last):
  File "crop_pose_and_generate_testing_prior.py", line 97, in <module>
    prior = generate_prior_single_person(bbox, raw_pose, opt.PASCALMaskImgDir, pascal_poses, pascal_img_names, pascal_pose_dict, opt.n, opt.k)
  File "/home/s1/Downloads/WSHP/data_generation/generate_prior_util.py", line 351, in morphing
    origin_body_part[origin_row_low:origin_row_high, origin_col_low:origin_col_high])
ValueError: operands could not be broadcast together with shapes (88,23) (88,24)`,
    form: 'operands',
    shapes: [
      [88, 23],
      [88, 24],
    ],
  },
  {
    source: 'https://github.com/axelalmet/flowsig/issues/15',
    text: 'ValueError: operands could not be broadcast together with shapes (5305,10) (18027,) (5305,10)',
    form: 'operands',
    shapes: [[5305, 10], [18027], [5305, 10]],
  },
  {
    source: 'https://github.com/liumency/DSAMNet/issues/10',
    text: 'ValueError: operands could not be broadcast together with shapes (5,256,256) (5,64,256,256)',
    form: 'operands',
    shapes: [
      [5, 256, 256],
      [5, 64, 256, 256],
    ],
  },
  {
    source: 'https://github.com/salesforce/ALBEF/issues/138',
    text: `  File "/root/ccw/Retrieval.py", line 324,in evaluate
               copes = np.where(inds == txt2img[index])[0]
  ValueError: operands could not be broadcast together with shapes (1014,)(2,)`,
    form: 'operands',
    shapes: [[1014], [2]],
  },
  {
    source: 'https://github.com/apache/mxnet/issues/15793 (MXNet words it as NumPy does)',
    text: 'Error in operator Add12: [03:36:06] src/operator/tensor/./elemwise_binary_broadcast_op.h:68: Check failed: l == 1 || r == 1: operands could not be broadcast together with shapes [1,128,62,62] [1,128,63,63]',
    form: 'operands',
    shapes: [
      [1, 128, 62, 62],
      [1, 128, 63, 63],
    ],
  },
  {
    source: 'https://github.com/bkelly-lab/ipca/pull/20',
    text: 'ValueError: could not broadcast input array from shape (52,1) into shape (52,)',
    form: 'assignment',
    shapes: [[52], [52, 1]],
    rule: 'unidirectional',
  },
  {
    source: 'https://github.com/BraveY/AI-with-code/issues/2 (before NumPy 1.20: no comma)',
    text: 'ValueError: could not broadcast input array from shape (10) into shape (50)',
    form: 'assignment',
    shapes: [[50], [10]],
    rule: 'unidirectional',
  },
  {
    source: 'https://github.com/MIC-DKFZ/TractSeg/issues/12',
    text: `Traceback (most recent call last):
  File "/usr/local/lib/python2.7/dist-packages/tractseg/libs/ImgUtils.py", line 410, in enfore_shape
    data_new[:data.shape[0], :data.shape[1], :data.shape[2]] = data
ValueError: could not broadcast input array from shape (90,108,90,288) into shape (90,108,90,9)`,
    form: 'assignment',
    shapes: [
      [90, 108, 90, 9],
      [90, 108, 90, 288],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'https://github.com/ryankiros/neural-storyteller/issues/39',
    text: `    MEAN_VALUE = numpy.array([103.939, 116.779, 123.68]).reshape((244,244,3))
ValueError: cannot reshape array of size 3 into shape (244,244,3)`,
    form: 'reshape',
    about: 'reshape',
  },
  {
    source: 'NumPy 2.4.6: np.ones((2,3)) + np.ones(4)',
    text: 'ValueError: operands could not be broadcast together with shapes (2,3) (4,)',
    form: 'operands',
    shapes: [[2, 3], [4]],
  },
  {
    source: 'NumPy 2.4.6: np.where(np.ones((2,3)), np.ones(4), 0)',
    text: 'ValueError: operands could not be broadcast together with shapes (2,3) (4,) ()',
    form: 'operands',
    shapes: [[2, 3], [4], []],
  },
  {
    source: 'NumPy 2.4.6: a = np.ones(3); a += np.ones((2,3))',
    text: "ValueError: non-broadcastable output operand with shape (3,) doesn't match the broadcast shape (2,3)",
    form: 'output operand',
    shapes: [[3], [2, 3]],
    rule: 'unidirectional',
  },
  {
    source: 'NumPy 2.4.6: np.ones((3,4))[...] = np.ones((2,4))',
    text: 'ValueError: could not broadcast input array from shape (2,4) into shape (3,4)',
    form: 'assignment',
    shapes: [
      [3, 4],
      [2, 4],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'NumPy 2.4.6: a = np.ones(5); a[[0,1,2]] = np.ones(4)',
    text: 'ValueError: shape mismatch: value array of shape (4,) could not be broadcast to indexing result of shape (3,)',
    form: 'indexed assignment',
    shapes: [[3], [4]],
    rule: 'unidirectional',
  },
  {
    source: 'NumPy 2.4.6: np.ones((5,5))[[0,1,2],[0,1]]',
    text: 'IndexError: shape mismatch: indexing arrays could not be broadcast together with shapes (3,) (2,)',
    form: 'index arrays',
    shapes: [[3], [2]],
  },
  {
    source: 'NumPy 2.4.6: np.broadcast_shapes((3,),(2,4))',
    text: 'ValueError: shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape (3,) and arg 1 with shape (2, 4).',
    form: 'broadcast_arrays',
    shapes: [[3], [2, 4]],
    where: 'A is argument 0, B argument 1',
  },
  {
    source: 'NumPy 2.4.6: np.broadcast_to(np.ones((2,3)), (3,))',
    text: 'ValueError: input operand has more dimensions than allowed by the axis remapping',
    form: 'broadcast_to rank',
  },
  {
    source: 'NumPy 2.4.6: np.broadcast_to(np.ones(3), (2,4))',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (3,)  and requested shape (2,4)',
    form: 'broadcast_to',
    shapes: [[2, 4], [3]],
    rule: 'unidirectional',
  },
  {
    source: 'NumPy 2.4.6: np.einsum("ij,ik->ijk", np.ones((2,3)), np.ones((4,5)))',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3)->(2,3,newaxis) (4,5)->(4,newaxis,5)',
    form: 'remapped',
    shapes: [
      [2, 3, 1],
      [4, 1, 5],
    ],
  },
  {
    source: 'NumPy 2.4.6: np.matmul(np.ones((7,2,3)), np.ones((6,3,5)))',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (7,2,3)->(7,newaxis,newaxis) (6,3,5)->(6,newaxis,newaxis)  and requested shape (2,5)',
    form: 'remapped',
    shapes: [
      [7, 1, 1],
      [6, 1, 1],
    ],
    where: 'in batches; ones stand for the matrices',
  },
  {
    source: 'NumPy 2.4.6: np.matmul(np.ones((2,3)), np.ones((4,5)))',
    text: 'ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 4 is different from 3)',
    form: 'matmul',
    about: 'matrix product',
  },
  {
    source: 'NumPy 2.4.6: np.dot(np.ones((2,3)), np.ones((4,5)))',
    text: 'ValueError: shapes (2,3) and (4,5) not aligned: 3 (dim 1) != 4 (dim 0)',
    form: 'dot',
    about: 'matrix product',
  },
  {
    source: 'NumPy 2.4.6: np.concatenate([np.ones((2,3)), np.ones((2,4))])',
    text: 'ValueError: all the input array dimensions except for the concatenation axis must match exactly, but along dimension 1, the array at index 0 has size 3 and the array at index 1 has size 4',
    form: 'concatenate',
    about: 'concatenation',
  },
  {
    source: 'https://github.com/pyro-ppl/pyro/pull/605 (before NumPy 1.20)',
    text: 'ValueError: shape mismatch: objects cannot be broadcast to a single shape',
    form: 'broadcast_arrays without shapes',
  },
  {
    source: 'NumPy 2.4.6: np.nditer([np.ones(4), np.ones((2,3))], op_axes=[[-1,0],None])',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (4,)->(4) (2,3) ',
    form: 'remapped',
    shapes: [[4], [2, 3]],
    where: 'with axes as they were moved',
  },
  {
    source: 'NumPy 2.4.6: np.sum(np.ones((2,3)), where=np.ones(4, bool))',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3) (4,) ',
    form: 'remapped',
    shapes: [[2, 3], [4]],
  },
  {
    source: 'NumPy 2.4.6: np.nditer([np.ones((2,3)), np.ones((1,3))], op_axes=[[0,1],[0,1]], itershape=(4,3))',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3)->(2,3) (1,3)->(1,3)  and requested shape (4,3)',
    form: 'remapped',
    shapes: [
      [4, 3],
      [2, 3],
      [1, 3],
    ],
    rule: 'unidirectional',
    where: 'with axes as they were moved; A is the requested shape, the others are the operands',
  },
  {
    source: 'NumPy 2.4.6: np.nditer([np.ones((2,3)), np.ones((1,3))], itershape=(4,3))',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3) (1,3)  and requested shape (4,3)',
    form: 'remapped',
    shapes: [
      [4, 3],
      [2, 3],
      [1, 3],
    ],
    rule: 'unidirectional',
  },
  {
    source:
      'NumPy 2.4.6: np.nditer([np.ones((2,3)), np.ones((1,3))], op_axes=[[0,1],[0,1]], itershape=(1,3)): a request of 1 does not grow',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3)->(2,3) (1,3)->(1,3)  and requested shape (1,3)',
    form: 'remapped',
    shapes: [
      [1, 3],
      [2, 3],
      [1, 3],
    ],
    rule: 'unidirectional',
  },
  {
    source:
      'NumPy 2.4.6: np.nditer([np.ones((2,3)), np.ones((1,3))], op_axes=[[0,1],[0,1]], itershape=(4,-1)): an axis that is left open',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3)->(2,3) (1,3)->(1,3)  and requested shape (4,newaxis)',
    form: 'remapped',
    shapes: [
      [4, 3],
      [2, 3],
      [1, 3],
    ],
    rule: 'unidirectional',
  },
  {
    source:
      'NumPy 2.4.6: np.nditer([np.ones(4), np.ones((2,3))], itershape=(-1,-1,4)): axes left open at the left are not printed',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (4,) (2,3)  and requested shape (4)',
    form: 'remapped',
    shapes: [[2, 4], [4], [2, 3]],
    rule: 'unidirectional',
  },
  {
    source:
      'NumPy 2.4.6: np.nditer([np.ones((2,3)), np.ones((5,3))], op_axes=[[0,1],[0,1]], itershape=(-1,3)): they differ where the request is open',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (2,3)->(2,3) (5,3)->(5,3)  and requested shape (3)',
    form: 'remapped',
    shapes: [
      [2, 3],
      [5, 3],
    ],
    where: 'with axes as they were moved',
  },
  {
    source: 'NumPy 2.4.6: np.nditer([np.ones(4), np.ones(3)], op_axes=[[0,-1],[-1,0]], itershape=(4,4))',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (4,)->(4,newaxis) (3,)->(3)  and requested shape (4,4)',
    form: 'remapped',
    shapes: [[4, 4], [4, 1], [3]],
    rule: 'unidirectional',
  },
  {
    source: 'NumPy 2.4.6: np.matmul(np.ones((7,2,3)), np.ones((3,5)), out=np.ones((6,2,5)))',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (7,2,3)->(7,newaxis,newaxis) (3,5)->() (6,2,5)->(6,2,5)  and requested shape (2,5)',
    form: 'remapped',
    shapes: [[7, 1, 1], [], [6, 2, 5]],
    where: 'in batches; ones stand for the matrices',
  },
  {
    source: 'NumPy 2.4.6: np.vecdot(np.ones((7,3)), np.ones((6,3)))',
    text: 'ValueError: operands could not be broadcast together with remapped shapes [original->remapped]: (7,3)->(7,) (6,3)->(6,)  and requested shape ()',
    form: 'remapped',
    shapes: [[7], [6]],
  },
  {
    source: 'https://github.com/zackchase/mxnet-the-straight-dope/pull/468 (Python 2: long integers)',
    text: 'ValueError: operands could not be broadcast together with remapped shapes[original->remapped]: (1L, 2L) and requested shape (2L,)',
    form: 'broadcast_to',
    shapes: [[2], [1, 2]],
    rule: 'unidirectional',
  },
  {
    source: 'NumPy, nditer_constr.c: an iterator without remapping that is given a shape',
    text: 'ValueError: operands could not be broadcast together with shapes (2,3) (1,3)  and requested shape (4,3)',
    form: 'operands',
    shapes: [
      [4, 3],
      [2, 3],
      [1, 3],
    ],
    rule: 'unidirectional',
    where: 'A is the requested shape, the others are the operands',
  },
  {
    source: 'NumPy 2.4.6: np.repeat(np.ones((2,3)), [1,2], axis=1)',
    text: 'ValueError: operands could not be broadcast together with shape (3,) (2,)',
    form: 'repeat',
    shapes: [[3], [2]],
    rule: 'unidirectional',
    where: 'in np.repeat; A is the axis, B how often each is repeated',
  },
  {
    source: 'NumPy 2.4.6: np.repeat(np.ones(1), [1,2]): an axis of 1 does not stretch',
    text: 'ValueError: operands could not be broadcast together with shape (1,) (2,)',
    form: 'repeat',
    shapes: [[1], [2]],
    rule: 'unidirectional',
  },
  {
    source: 'NumPy 2.4.6: np.broadcast_to(np.ones(3), ())',
    text: 'ValueError: cannot broadcast a non-scalar to a scalar array',
    form: 'broadcast_to a scalar',
  },
  {
    source: 'NumPy 2.4.6: np.add.at(np.ones(3), [0,1], np.ones(3))',
    text: 'ValueError: array is not broadcastable to correct shape',
    form: 'ufunc.at',
  },
  {
    source: "NumPy 2.4.6: np.einsum('ij,jk->ik', np.ones((2,4)), np.ones((3,5)), optimize=True): the sizes are swapped",
    text: "ValueError: Size of label 'j' for operand 1 (4) does not match previous terms (3).",
    form: 'einsum',
    sizes: [4, 3],
    where: 'in einsum, operand 1 and those before it',
    says: '4 meets 3 on the axes labelled j;',
  },
  {
    source: "JAX 0.10.2: jnp.einsum('...ij,...jk->...ik', jnp.ones((7,2,3)), jnp.ones((6,3,5)))",
    text: "ValueError: Size of label 'c' for operand 1 (7) does not match previous terms (6).",
    form: 'einsum',
    sizes: [7, 6],
  },
  {
    source: "NumPy 2.4.6: np.einsum('ii->i', np.ones((2,4)))",
    text: "ValueError: dimensions in single operand for collapsing index 'i' don't match (2 != 4)",
    form: 'einsum diagonal',
    about: 'diagonal',
    says: 'the label i stands twice at one operand, whose sizes there are 2 and 4',
  },
  {
    source: 'NumPy 2.4.6: np.dot(np.ones((2,3)), np.ones(4))',
    text: 'ValueError: shapes (2,3) and (4,) not aligned: 3 (dim 1) != 4 (dim 0)',
    form: 'dot',
    about: 'matrix product',
    says: 'the last size of the left to be the size of the right, and they are 3 and 4.',
  },
  {
    source: 'NumPy 2.4.6: np.concatenate([np.ones((2,3)), np.ones(3)])',
    text: 'ValueError: all the input arrays must have same number of dimensions, but the array at index 0 has 2 dimension(s) and the array at index 1 has 1 dimension(s)',
    form: 'concatenate ranks',
    about: 'concatenation',
    says: 'array 0 has 2 axes and array 1 has 1 axis.',
  },
  {
    source: 'NumPy before 1.17: np.concatenate([np.ones((2,3)), np.ones(3)])',
    text: 'ValueError: all the input arrays must have same number of dimensions',
    form: 'concatenate ranks',
    about: 'concatenation',
    says: 'different numbers of axes',
  },
  {
    source: 'NumPy 2.4.6: np.stack([np.ones(3), np.ones(4)])',
    text: 'ValueError: all input arrays must have the same shape',
    form: 'stack',
    about: 'equal shapes',
    says: 'np.stack wants equal shapes',
  },
  {
    source: 'NumPy 2.4.6: np.ones(3)[np.ones(4, bool)]',
    text: 'IndexError: boolean index did not match indexed array along axis 0; size of axis is 3 but size of corresponding boolean axis is 4',
    form: 'mask',
    about: 'mask',
    says: 'on axis 0 the mask has size 4 and what it selects from has 3.',
  },
  {
    source: 'NumPy 1.26: np.ones(3)[np.ones(4, bool)]',
    text: 'IndexError: boolean index did not match indexed array along dimension 0; dimension is 3 but corresponding boolean dimension is 4',
    form: 'mask',
    about: 'mask',
    says: 'on axis 0 the mask has size 4 and what it selects from has 3.',
  },
  {
    source: 'vllm-project/vllm#8068',
    text: 'ValueError: could not broadcast input array from shape (513,) into shape (512,)',
    form: 'assignment',
    shapes: [[512], [513]],
    rule: 'unidirectional',
  },
  {
    source: 'chaosallen/IPNV2_pytorch#10',
    text: 'ValueError: could not broadcast input array from shape (400,160) into shape (160,400)',
    form: 'assignment',
    shapes: [
      [160, 400],
      [400, 160],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'MG2033/ShuffleNet#15',
    text: 'ValueError: could not broadcast input array from shape (64,64,3) into shape (64,64)',
    form: 'assignment',
    shapes: [
      [64, 64],
      [64, 64, 3],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'taki0112/CASED-Tensorflow#4',
    text: 'ValueError: could not broadcast input array from shape (68,68,68,1) into shape (68,68)',
    form: 'assignment',
    shapes: [
      [68, 68],
      [68, 68, 68, 1],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'terrifyzhao/text_matching#10',
    text: 'ValueError: could not broadcast input array from shape (15,100) into shape (15)',
    form: 'assignment',
    shapes: [[15], [15, 100]],
    rule: 'unidirectional',
  },
  {
    source: 'NVIDIA/DIGITS#1790',
    text: 'ValueError: could not broadcast input array from shape (3,232,512,512) into shape (512,512)',
    form: 'assignment',
    shapes: [
      [512, 512],
      [3, 232, 512, 512],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'keras-team/keras#13157',
    text: 'ValueError: could not broadcast input array from shape (1048576,7) into shape (1024,1024,3) _get_batches_of_transformed_samples(self, index_array)',
    form: 'assignment',
    shapes: [
      [1024, 1024, 3],
      [1048576, 7],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'artvandelay/Deep_Inside_Convolutional_Networks#7',
    text: 'ValueError: could not broadcast input array from shape(1000,1,1) into shape (1,1000)',
    form: 'assignment',
    shapes: [
      [1, 1000],
      [1000, 1, 1],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'gabrielpierobon/cnnshapes#4',
    text: 'ValueError: could not broadcast input array from shape (375,500) into shape (375,375)',
    form: 'assignment',
    shapes: [
      [375, 375],
      [375, 500],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'vllm-project/vllm#9848',
    text: '[Bug]: could not broadcast input array from shape (944,) into shape (512,)',
    form: 'assignment',
    shapes: [[512], [944]],
    rule: 'unidirectional',
  },
  {
    source: 'scikit-learn/scikit-learn#15363',
    text: 'ValueError: could not broadcast input array from shape (24,1) into shape (24)',
    form: 'assignment',
    shapes: [[24], [24, 1]],
    rule: 'unidirectional',
  },
  {
    source: 'lnccbrown/HSSM#302',
    text: `    raise exc_value.with_traceback(exc_trace)
ValueError: could not broadcast input array from shape (2,) into shape (1,)`,
    form: 'assignment',
    shapes: [[1], [2]],
    rule: 'unidirectional',
  },
  {
    source: 'ageron/handson-ml#467',
    text: 'ValueError: operands could not be broadcast together with shapes (16512,) (3,8)',
    form: 'operands',
    shapes: [[16512], [3, 8]],
  },
  {
    source: 'guofei9987/scikit-opt#97',
    text: `    self.need_update = self.pbest_y > self.Y
ValueError: operands could not be broadcast together with shapes (16500,1) (544500,1) `,
    form: 'operands',
    shapes: [
      [16500, 1],
      [544500, 1],
    ],
  },
  {
    source: 'd2cml-ai/csdid#54',
    text: 'ValueError: operands could not be broadcast together with shapes (2722,) (2679,)',
    form: 'operands',
    shapes: [[2722], [2679]],
  },
  {
    source: 'rasbt/python-machine-learning-book#8',
    text: 'operands could not be broadcast together with shapes (5,5) (10,5)',
    form: 'operands',
    shapes: [
      [5, 5],
      [10, 5],
    ],
  },
  {
    source: 'jimmyyfeng/smpcup2016#3',
    text: `    stack_te += bst.predict(dtest)
ValueError: operands could not be broadcast together with shapes (980,3) (1248,3) (980,3) `,
    form: 'operands',
    shapes: [
      [980, 3],
      [1248, 3],
      [980, 3],
    ],
  },
  {
    source: 'tyiannak/pyAudioAnalysis#85',
    text: `>     curFV = (mtFeatures[:, 0] - MEAN) / STD;
> ValueError: operands could not be broadcast together with shapes (68,) (70,) `,
    form: 'operands',
    shapes: [[68], [70]],
  },
  {
    source: 'uscuni/neatnet#149',
    text: 'ValueError: operands could not be broadcast together with shapes (5,2) (2,2)',
    form: 'operands',
    shapes: [
      [5, 2],
      [2, 2],
    ],
  },
  {
    source: 'numpy/numpy#8456',
    text: 'ValueError: operands could not be broadcast together with shapes (2,) (3,) ',
    form: 'operands',
    shapes: [[2], [3]],
  },
  {
    source: 'arcadelab/deepdrr#53',
    text: `line 462, in project ijk_from_world @ world_from_index,
**ValueError:** matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 3 is different from 4). `,
    form: 'matmul',
    about: 'matrix product',
  },
  {
    source: 'decisionforce/pgdrive#540',
    text: '"ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 275 is different from 274)"',
    form: 'matmul',
    about: 'matrix product',
  },
  {
    source: 'facebookresearch/fastText#1180',
    text: 'ValueError: matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 300 is different from 0)',
    form: 'matmul',
    about: 'matrix product',
  },
  {
    source: 'numpy/numpy#20018',
    text: `    ValueError: shape mismatch: objects cannot be broadcast to a
    single shape.  Mismatch is between arg 0 with shape (1, 3) and
    arg 2 with shape (2,).`,
    form: 'broadcast_arrays',
    shapes: [[1, 3], [2]],
  },
  {
    source: 'mjq11302010044/RRPN#50',
    text: 'ValueError: could not broadcast input array from shape (3,5) into shape (3,4)',
    form: 'assignment',
    shapes: [
      [3, 4],
      [3, 5],
    ],
    rule: 'unidirectional',
  },
  {
    source: 'aimacode/aima-python#1254',
    text: 'ValueError: shapes (5,) and (6,) not aligned: 5 (dim 0) != 6 (dim 0)',
    form: 'dot',
    about: 'matrix product',
  },
  {
    source: 'MichaelLee826/iris_classification_BPNeuralNetwork#1',
    text: 'ValueError: shapes (10,4) and (1,30) not aligned: 4 (dim 1) != 1 (dim 0)',
    form: 'dot',
    about: 'matrix product',
  },
  {
    source: 'pst-group/pysystemtrade#67',
    text: `    (float(np.dot(np.dot(weights, corrmatrix), weights.transpose()))**.5),

ValueError: shapes (1,) and (2,1) not aligned: 1 (dim 0) != 2 (dim 0)`,
    form: 'dot',
    about: 'matrix product',
  },
  {
    source: 'SigProfilerSuite/SigProfilerAssignment#154',
    text: 'ValueError: shapes (96,86) and (85,) not aligned: 86 (dim 1) != 85 (dim 0)',
    form: 'dot',
    about: 'matrix product',
  },
  {
    source: 'PaddlePaddle/PaddleVideo#583',
    text: `  File "<__array_function__ internals>", line 6, in concatenate
ValueError: all the input arrays must have same number of dimensions, but the array at index 0 has 3 dimension(s) and the array at index 1 has 2 dimension(s)`,
    form: 'concatenate ranks',
    about: 'concatenation',
  },
]
