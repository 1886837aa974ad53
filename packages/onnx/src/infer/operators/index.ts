// Every operator that inference knows, by domain and name. A family adds its rows to the list.
import { OperatorRows } from '../../model/operator-rows.ts'
import type { Row } from '../row.ts'
import { attentionRows } from './attention.ts'
import { contribRows } from './contrib.ts'
import { contribAttentionRows } from './contrib-attention.ts'
import { controlRows } from './control.ts'
import { convolutionRows } from './convolution.ts'
import { elementwiseRows } from './elementwise.ts'
import { gatherRows } from './gather.ts'
import { generateRows } from './generate.ts'
import { imageRows } from './image.ts'
import { linearRows } from './linear.ts'
import { lossRows } from './loss.ts'
import { mlRows } from './ml.ts'
import { moveRows } from './move.ts'
import { normalisationRows } from './normalisation.ts'
import { poolingRows } from './pooling.ts'
import { quantisationRows } from './quantisation.ts'
import { recurrentRows } from './recurrent.ts'
import { reduceRows } from './reduce.ts'
import { reshapeRows } from './reshape.ts'
import { sequenceRows } from './sequence.ts'
import { signalRows } from './signal.ts'
import { sliceRows } from './slice.ts'
import { unaryRows } from './unary.ts'

const families: readonly (readonly Row[])[] = [
  ...[elementwiseRows, unaryRows, generateRows, reshapeRows, moveRows, sliceRows, gatherRows, reduceRows, linearRows],
  ...[sequenceRows, controlRows, signalRows],
  ...[convolutionRows, poolingRows, normalisationRows, recurrentRows, attentionRows, imageRows, quantisationRows],
  ...[lossRows, mlRows, contribRows, contribAttentionRows],
]

/** Every row there is. */
export const rows: readonly Row[] = families.flat()

const operators = new OperatorRows(rows)

/** The row that speaks of an operator at a version of its set; undefined for what is not known. */
export const rowOf = (domain: string, name: string, opset: number): Row | undefined => operators.at(domain, name, opset)
