// Every kind of random node that runs here, and how far its results may lie from those of onnxruntime.
import type { DType } from 'bcast'
import type { Case } from '../../support/cases.ts'
import type { Random } from '../../support/random.ts'
import { positive } from './elements.ts'
import { conv, convTranspose, depthToSpace, nonMaxSuppression, resize, roiAlign, upsample, windowed } from './images.ts'
import {
  clip,
  cumSum,
  eyeLike,
  gather,
  gatherElements,
  gatherND,
  nonZero,
  pad,
  range,
  scatterElements,
  scatterND,
  topK,
  trilu,
} from './places.ts'
import { batched, einsum, recurrent } from './products.ts'
import { dequantizeLinear, dynamicQuantizeLinear, matMulInteger, quantizeLinear } from './quantised.ts'
import { arg, layerNormalization, lrn, perChannel, pooled, reduction, softmax } from './reductions.ts'

const floats: readonly DType[] = ['float32']
const numbers: readonly DType[] = ['float32', 'int32', 'int64']

/** Cases, and how far apart results may be: sums are rounded in another order there, and cancel. */
export const families: readonly (readonly [generate: (random: Random) => Case, units: number])[] = [
  [reduction('ReduceSum', numbers), 16],
  [reduction('ReduceMean', floats, positive), 16],
  [reduction('ReduceMax', ['float32', 'int32', 'int8', 'uint8']), 0],
  [reduction('ReduceMin', ['float32', 'int64', 'int8']), 0],
  [reduction('ReduceProd', floats, positive), 16],
  [reduction('ReduceL1', numbers), 16],
  [reduction('ReduceL2', floats), 16],
  [reduction('ReduceSumSquare', numbers), 16],
  [reduction('ReduceLogSum', floats, positive), 16],
  [reduction('ReduceLogSumExp', floats, positive), 16],
  [softmax('Softmax'), 16],
  [softmax('LogSoftmax'), 16],
  [arg('ArgMax'), 0],
  [arg('ArgMin'), 0],
  [perChannel('BatchNormalization', 4, 15), 16],
  [perChannel('InstanceNormalization', 2, 13), 16],
  [perChannel('GroupNormalization', 2, 21, { num_groups: 2 }), 16],
  [layerNormalization, 16],
  [lrn, 16],
  [einsum('ii->i', 'bii->bi', 'ij->ji', 'ij->', 'ba'), 0],
  [einsum('ij,jk->ik', 'bij,bkj->bik', 'bhwc,cd->bhwd', 'bqhd,bkhd->bhqk', '...ij,...jk->...ik', '...i,i->...'), 0],
  [einsum('i,j->ij', 'i,j', 'bij,jk,k->bi', 'ijk,k->j', 'ij,ij->i', 'ij,ij->ij'), 0],
  [pad, 0],
  [trilu, 0],
  [eyeLike, 0],
  [gather, 0],
  [gatherElements, 0],
  [gatherND, 0],
  [scatterElements, 0],
  [scatterND, 0],
  [topK, 0],
  [cumSum, 0],
  [quantizeLinear, 0],
  [dequantizeLinear, 0],
  [dynamicQuantizeLinear, 0],
  [matMulInteger, 0],
  [nonMaxSuppression, 0],
  [roiAlign, 8],
  [nonZero, 0],
  [clip, 0],
  [range, 0],
  [pooled('GlobalAveragePool'), 16],
  [pooled('GlobalMaxPool'), 0],
  [depthToSpace, 0],
  [batched, 0],
  [conv, 0],
  [convTranspose, 0],
  [resize('nearest'), 0],
  [resize('linear'), 4],
  [upsample('nearest'), 0],
  [upsample('linear'), 4],
  [recurrent('LSTM', 4, 2), 64],
  [recurrent('GRU', 3, 1), 64],
  [recurrent('RNN', 1, 1), 64],
  [windowed('MaxPool'), 0],
  [windowed('AveragePool', (random) => ({ count_include_pad: random.int(0, 1) })), 16],
]
