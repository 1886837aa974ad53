// Examples to begin with, and those of the five documents: shapes, rules and what comes of them. A test asks the
// library for every one.
import type { RuleOptions } from '@bcast/cli/shapes'
import type { ViewId } from '../state/state.ts'

export interface Example {
  readonly text: string
  readonly rule?: RuleOptions
  readonly view?: ViewId
  /** In words, where the shapes do not say enough. */
  readonly about?: string
  /** The result's shape; undefined where shapes do not meet, or where there is more to it. */
  readonly gives?: string
}

export interface Chapter {
  readonly title: string
  readonly examples: readonly Example[]
}

const four = '2,3,4,5'
const unidirectional = { rule: 'unidirectional' }
const bidirectional = { rule: 'bidirectional' }
const pdpd = (axis?: number): RuleOptions => (axis === undefined ? { rule: 'pdpd' } : { rule: 'pdpd', axis })

const start: Chapter = {
  title: 'Begin here',
  examples: [
    { text: '4,3  3', about: 'a row is added to every row', gives: '4,3' },
    { text: '4,3  4,1', about: 'a column to every column', gives: '4,3' },
    { text: '2,3,4  2,4', about: 'a mistake, and its fixes' },
    { text: '1000  1000,1', about: 'a million elements by accident', gives: '1000,1000' },
    { text: 'N,3  4,M', about: 'sizes that are not known yet' },
    { text: '5,1,4  3,1  5,3,4', about: 'three operands', gives: '5,3,4' },
    {
      text: 'RuntimeError: The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1',
      about: 'an error message of PyTorch',
    },
    {
      text: 'ValueError: operands could not be broadcast together with shapes (32,10) (32,)',
      about: 'an error message of NumPy',
    },
    { text: '(x - mean) / std  x=100,3 mean=3 std=3', about: 'an expression with sizes' },
  ],
}

const onnx: Chapter = {
  title: 'ONNX: Broadcasting',
  examples: [
    { text: `${four}  ()`, gives: four },
    { text: `${four}  5`, gives: four },
    { text: `4,5  ${four}`, gives: four },
    { text: '1,4,5  2,3,1,1', gives: four },
    { text: '3,4,5  2,1,1,1', gives: four },
    { text: `${four}  ()`, rule: unidirectional, gives: four },
    { text: `${four}  5`, rule: unidirectional, gives: four },
    { text: `${four}  2,1,1,5`, rule: unidirectional, gives: four },
    { text: `${four}  1,3,1,5`, rule: unidirectional, gives: four },
  ],
}

const openvino: Chapter = {
  title: 'OpenVINO: broadcast rules',
  examples: [
    { text: '()  ()', gives: '()' },
    { text: '2,3  1', gives: '2,3' },
    { text: '3  2,3', gives: '2,3' },
    { text: '2,3,5  ()', gives: '2,3,5' },
    { text: '2,1,5  1,4,5', gives: '2,4,5' },
    { text: '6,5  2,1,5', gives: '2,6,5' },
    { text: '2,1,5  4,1', gives: '2,4,5' },
    { text: '3,2,1,4  5,4', gives: '3,2,5,4' },
    { text: '1,5,3  5,2,1,3', gives: '5,2,5,3' },
    { text: '3  2' },
    { text: '3,1,5  4,4,5' },
    { text: `${four}  3,4`, rule: pdpd(1), gives: four },
    { text: `${four}  3,1`, rule: pdpd(1), gives: four },
    { text: `${four}  4,5`, rule: pdpd(), gives: four },
    { text: `${four}  1,3`, rule: pdpd(0), gives: four },
    { text: `${four}  ()`, rule: pdpd(), gives: four },
    { text: `${four}  5`, rule: pdpd(3), gives: four },
    { text: '8,1,6,1  7,1,5', rule: pdpd(1) },
    { text: '5  1', rule: bidirectional, gives: '5' },
    { text: '2,3  3', rule: bidirectional, gives: '2,3' },
    { text: '3,1  3,4', rule: bidirectional, gives: '3,4' },
    { text: '3,4  ()', rule: bidirectional, gives: '3,4' },
    { text: '3,1  2,1,6', rule: bidirectional, gives: '2,3,6' },
    { text: '2,3  2,3', rule: { rule: 'none' }, gives: '2,3' },
  ],
}

const ngraph: Chapter = {
  title: 'nGraph: Broadcast',
  examples: [
    { text: '2,3  3', rule: { rule: 'explicit', newAxes: [0] }, gives: '2,3' },
    { text: '3,2  3', rule: { rule: 'explicit', newAxes: [1] }, gives: '3,2' },
  ],
}

const sonnx: Chapter = {
  title: 'SONNX: two drafts',
  examples: [
    { text: '2,1  3', rule: { rule: 'sonnx' }, gives: '2,3' },
    { text: '()  2,2', rule: { rule: 'sonnx' }, gives: '2,2' },
    { text: '2,3,1  3,4  1', rule: { rule: 'sonnx' }, gives: '2,3,4' },
    { text: '3  2', rule: { rule: 'sonnx' }, about: 'breaks C1' },
    { text: '0  1', rule: { rule: 'sonnx' }, about: '0 against 1, read literally' },
  ],
}

export const chapters: readonly Chapter[] = [start, onnx, openvino, ngraph, sonnx]
