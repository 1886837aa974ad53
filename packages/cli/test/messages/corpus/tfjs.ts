import type { Entry } from './entry.ts'

export const tfjsMessages: readonly Entry[] = [
  {
    source: 'https://github.com/tensorflow/tfjs/issues/938',
    text: 'Uncaught Error: Operands could not be broadcast together with shapes 1,128,128,64 and 0.',
    form: 'operands',
    shapes: [[1, 128, 128, 64], [0]],
  },
  {
    source: 'https://github.com/tensorflow/tfjs/issues/7201',
    text: '[Error: Operands could not be broadcast together with shapes 285 and 285,39.]',
    form: 'operands',
    shapes: [[285], [285, 39]],
  },
  {
    source: 'https://github.com/tensorflow/tfjs/issues/5259',
    text: 'Error: Operands could not be broadcast together with shapes 1554 and 1554,2',
    form: 'operands',
    shapes: [[1554], [1554, 2]],
  },
  {
    source: 'TensorFlow.js 4.22.0: tf.add(tf.ones([2,3]), tf.ones([4]))',
    text: 'Error: Operands could not be broadcast together with shapes 2,3 and 4.',
    form: 'operands',
    shapes: [[2, 3], [4]],
  },
  {
    source: 'TensorFlow.js 4.22.0: tf.broadcastTo(tf.ones([3]), [2,4])',
    text: 'Error: broadcastTo(): [3] cannot be broadcast to [2,4].',
    form: 'broadcastTo',
    shapes: [[2, 4], [3]],
    rule: 'unidirectional',
  },
  {
    source: 'TensorFlow.js 4.22.0: tf.broadcastTo(tf.ones([2,3]), [3])',
    text: 'Error: broadcastTo(): shape.length=1 < input.rank=2.',
    form: 'broadcastTo rank',
  },
  {
    source: 'TensorFlow.js 4.22.0: tf.matMul(tf.ones([2,3]), tf.ones([4,5]))',
    text: 'Error: Error in matMul: inner shapes (3) and (4) of Tensors with shapes 2,3 and 4,5 and transposeA=false and transposeB=false must match.',
    form: 'matMul',
    about: 'matrix product',
  },
  {
    source: 'TensorFlow.js 4.22.0: tf.matMul(tf.ones([2,3]), tf.ones([4,5]), true)',
    text: 'Error: Error in matMul: inner shapes (2) and (4) of Tensors with shapes 2,3 and 4,5 and transposeA=true and transposeB=false must match.',
    form: 'matMul',
    about: 'matrix product',
  },
  {
    source: 'TensorFlow.js 4.22.0: tf.concat([tf.ones([2,3]), tf.ones([2,4])])',
    text: 'Error: Error in concat2D: Shape of tensors[1] (2,4) does not match the shape of the rest (2,3) along the non-concatenated axis 1.',
    form: 'concat',
    about: 'concatenation',
  },
  {
    source: 'TensorFlow.js 4.22.0: tf.losses.meanSquaredError(tf.ones([2,3]), tf.ones([4]))',
    text: 'Error: Error in meanSquaredError:  Shapes 2,3 and 4 must match',
    form: 'equal shapes',
    shapes: [[2, 3], [4]],
    rule: 'none',
  },
  {
    source: 'tensorflow/tfjs#1583',
    text: 'Error: Operands could not be broadcast together with shapes 1,150,150,32 and 0.',
    form: 'operands',
    shapes: [[1, 150, 150, 32], [0]],
  },
  {
    source: 'hiukim/mind-ar-js#339',
    text: '`Uncaught (in promise) Error: Operands could not be broadcast together with shapes 103,79 and 102,79.`',
    form: 'operands',
    shapes: [
      [103, 79],
      [102, 79],
    ],
  },
  {
    source: 'tensorflow/tfjs#1943',
    text: 'Uncaught (in promise) Error: Error when checking: expected tfjs@0.13.5.2 flatten_1_input to have shape [null,7,7,512] but got array with shape [1,224,224,3].',
    form: 'layer input',
    about: 'declared shape',
  },
  {
    source: 'tensorflow/tfjs#1165',
    text: 'tf-layers.esm.js:17 Uncaught (in promise) Error: Error when checking target: expected sampling_layer_SamplingLayer1 to have shape [,4], but got array with shape [1,512].',
    form: 'layer input',
    about: 'declared shape',
  },
  {
    source: 'Thoughtscript/x_team_tensorflow_js#1',
    text: 'tf.js:5899 Uncaught (in promise) Error: Error when checking target: expected dense_Dense1 to have shape [,57,10], but got array with shape [1,1960,1].',
    form: 'layer input',
    about: 'declared shape',
  },
  {
    source: 'tensorflow/tfjs#7880',
    text: `Error: Error in concat3D: Shape of tensors[1] (1,1,128) does not match the shape of the rest (1,50,1) along the non-concatenated axis 1.
    at util.assert (tfjs-core/src/util_base.ts:153:11)`,
    form: 'concat',
    about: 'concatenation',
  },
]
