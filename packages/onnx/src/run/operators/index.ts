// Every operator that can be run, by domain and name. A family adds its rows to the list.

import { OperatorRows } from '../../model/operator-rows.ts'
import type { Row } from '../row.ts'
import { activationRows } from './activations.ts'
import { controlRows } from './control.ts'
import { convolutionRows } from './convolution.ts'
import { cumulativeRows } from './cumulative.ts'
import { detectionRows } from './detection.ts'
import { einsumRows } from './einsum.ts'
import { elementwiseRows } from './elementwise.ts'
import { generateRows } from './generate.ts'
import { elementIndexRows } from './index-by-element.ts'
import { joinRows } from './join.ts'
import { linearRows } from './linear.ts'
import { normalisationRows } from './normalisation.ts'
import { poolingRows } from './pooling.ts'
import { quantisationRows } from './quantisation.ts'
import { recurrentRows } from './recurrent.ts'
import { reduceRows } from './reduce.ts'
import { reshapeRows } from './reshape.ts'
import { resizeRows } from './resize.ts'
import { scatterRows } from './scatter.ts'
import { topKRows } from './top-k.ts'

/** Every row there is. */
export const rows: readonly Row[] = [
  ...[elementwiseRows, activationRows, generateRows, reshapeRows, joinRows, reduceRows, linearRows],
  ...[normalisationRows, convolutionRows, poolingRows, resizeRows, recurrentRows, controlRows, elementIndexRows],
  ...[scatterRows, topKRows, cumulativeRows, quantisationRows, einsumRows, detectionRows],
].flat()

const operators = new OperatorRows(rows)

/** The row that computes an operator at a version of its set; undefined for what cannot be run. */
export const rowOf = (domain: string, name: string, opset: number): Row | undefined => operators.at(domain, name, opset)

/** An operator that the package runs. */
export interface SupportedOperator {
  readonly domain: string
  readonly name: string
  /** The first version of its operator set that can be run. */
  readonly since: number
}

/** The operators that can be run, in the order of their names. */
export const supportedOperators: readonly SupportedOperator[] = operators
  .oldest()
  .map(({ domain = '', name, since = 1 }) => ({ domain, name, since }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))
