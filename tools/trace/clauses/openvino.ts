// OpenVINO's rules: none, numpy and pdpd for element-wise operators, bidirectional for the Broadcast operator.
import type { Clause, Document } from '../clause.ts'

interface Example {
  readonly n: string
  readonly text: string
  readonly restsOn: readonly string[]
  readonly partOf?: string
  readonly note?: string
}

const examples = (kind: string, section: string, list: readonly Example[]): Clause[] =>
  list.map(({ n, text, restsOn, partOf, note }) => ({
    id: `openvino.${kind}.example.${n}`,
    text,
    where: `${section}, example ${n}`,
    restsOn: restsOn.map((rule) => `openvino.${kind}.${rule}`),
    ...(partOf === undefined ? {} : { partOf: `openvino.${kind}.example.${partOf}` }),
    ...(note === undefined ? {} : { note }),
  }))

const numpyExamples = examples('numpy', 'Numpy examples', [
  { n: '1', text: '() with () gives ().', restsOn: ['5'] },
  { n: '2', text: '(2,3) with (1) gives (2,3).', restsOn: ['2', '4'] },
  { n: '3', text: '(3) with (2,3) gives (2,3).', restsOn: ['2', '4'] },
  { n: '4', text: '(2,3,5) with () gives (2,3,5).', restsOn: ['2', '4'] },
  { n: '5', text: '(2,1,5) with (1,4,5) gives (2,4,5).', restsOn: ['4'] },
  { n: '6', text: '(6,5) with (2,1,5) gives (2,6,5).', restsOn: ['2', '4'] },
  { n: '7', text: '(2,1,5) with (4,1) gives (2,4,5).', restsOn: ['2', '4'] },
  { n: '8', text: '(3,2,1,4) with (5,4) gives (3,2,5,4).', restsOn: ['2', '4'] },
  { n: '9', text: '(1,5,3) with (5,2,1,3) gives (5,2,5,3).', restsOn: ['2', '4'] },
  { n: '10', text: '(3) with (2) is refused.', restsOn: ['3'] },
  { n: '11', text: '(3,1,5) with (4,4,5) is refused for its leftmost axis.', restsOn: ['3'] },
])

const pdpdExamples = examples('pdpd', 'PDPD examples', [
  { n: '1', text: '(3,4) at axis 1 of (2,3,4,5) gives (2,3,4,5).', restsOn: ['3'] },
  { n: '2', text: '(3,1) at axis 1 of (2,3,4,5) gives (2,3,4,5).', restsOn: ['3', '5'] },
  { n: '3', text: '(4,5) onto (2,3,4,5) gives (2,3,4,5), axis given or not.', restsOn: ['3', '4'] },
  { n: '3a', text: '(4,5) onto (2,3,4,5) with axis -1.', restsOn: ['3', '4'], partOf: '3' },
  { n: '3b', text: '(4,5) onto (2,3,4,5) with axis 2.', restsOn: ['3'], partOf: '3' },
  {
    n: '4',
    text: '(1,3) at axis 0 of (2,3,4,5) gives (2,3,4,5).',
    restsOn: ['3'],
    note: 'A leading 1 stretches, although rule 2 asks for a run of sizes of A.',
  },
  { n: '5', text: '() onto (2,3,4,5) gives (2,3,4,5).', restsOn: ['3', '4'] },
  { n: '6', text: '(5) onto (2,3,4,5) gives (2,3,4,5), axis given or not.', restsOn: ['3', '4'] },
  { n: '6a', text: '(5) onto (2,3,4,5) with axis -1.', restsOn: ['3', '4'], partOf: '6' },
  { n: '6b', text: '(5) onto (2,3,4,5) with axis 3.', restsOn: ['3'], partOf: '6' },
  {
    n: '7',
    text: '(7,1,5) at axis 1 of (8,1,6,1) is refused: A would have to stretch.',
    restsOn: ['2', '3'],
  },
])

const bidirectionalExamples = examples('bidirectional', 'Bidirectional examples', [
  { n: '1', text: '(5) to target (1) gives (5).', restsOn: ['2', '4'] },
  { n: '2', text: '(2,3) to target (3) gives (2,3).', restsOn: ['1', '2', '4'] },
  { n: '3', text: '(3,1) to target (3,4) gives (3,4).', restsOn: ['2'] },
  { n: '4', text: '(3,4) to target () gives (3,4).', restsOn: ['1', '2', '4'] },
  { n: '5', text: '(3,1) to target (2,1,6) gives (2,3,6).', restsOn: ['1', '2', '4'] },
])

export const openvino: Document = {
  prefix: 'openvino',
  title: 'OpenVINO: Broadcast Rules For Elementwise Operations',
  source: 'https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets/broadcast-rules.html',
  clauses: [
    {
      id: 'openvino.rank',
      text: 'Operands of an element-wise operator may have any rank.',
      where: 'Description',
      restsOn: ['openvino.numpy.1', 'openvino.pdpd.1'],
      note: 'The page announces two kinds, numpy and pdpd, and defines four.',
    },
    {
      id: 'openvino.none.1',
      text: 'none: the shapes must be equal.',
      where: 'Rules, None broadcast 1',
    },
    {
      id: 'openvino.none.2',
      text: 'none: nothing stretches, a size of 1 neither.',
      where: 'Rules, None broadcast 2',
    },
    {
      id: 'openvino.numpy.1',
      text: 'numpy: sizes are compared axis by axis, from the right.',
      where: 'Rules, Numpy broadcast 1',
    },
    {
      id: 'openvino.numpy.2',
      text: 'numpy: the shape of lower rank gets sizes of 1 in front.',
      where: 'Rules, Numpy broadcast 2',
      note: 'The page says until the shapes are the same; the ranks are meant.',
    },
    {
      id: 'openvino.numpy.3',
      text: 'numpy: two sizes are compatible when equal or when one of them is 1.',
      where: 'Rules, Numpy broadcast 3',
      note: 'Size 0 is not mentioned: 0 with 1 gives 0.',
    },
    {
      id: 'openvino.numpy.4',
      text: 'numpy: a size of 1 stretches to the size of the other operand.',
      where: 'Rules, Numpy broadcast 4',
    },
    {
      id: 'openvino.numpy.5',
      text: 'numpy: two scalars give a scalar.',
      where: 'Rules, Numpy broadcast 5',
    },
    {
      id: 'openvino.pdpd.1',
      text: 'pdpd: A has any rank, B at most that of A.',
      where: 'Rules, PDPD broadcast 1',
    },
    {
      id: 'openvino.pdpd.2',
      text: 'pdpd: the sizes of B are a contiguous run of the sizes of A.',
      where: 'Rules, PDPD broadcast 2',
      note: "Stricter than the page's own example 4 and than OpenVINO, where a leading or inner 1 of B stretches; bcast follows the example. As an error it is Paddle 1.5, the option innerOnes.",
    },
    {
      id: 'openvino.pdpd.3',
      text: 'pdpd: B is laid onto A from position axis; the result has the shape of A.',
      where: 'Rules, PDPD broadcast 3',
    },
    {
      id: 'openvino.pdpd.4',
      text: 'pdpd: axis -1, the default, means rank(A) - rank(B); any other negative axis is refused.',
      where: 'Rules, PDPD broadcast 4',
      note: 'The page does not say whether rank(B) counts trailing ones; this rule stands before the trimming, so it does, as in Paddle and OpenVINO.',
    },
    {
      id: 'openvino.pdpd.5',
      text: 'pdpd: trailing ones of B do not count when it is matched with A, as (3,1) counts as (3).',
      where: 'Rules, PDPD broadcast 5',
      note: 'OpenVINO checks that B fits with its trailing ones still there; the option untrimmed does so.',
    },
    ...numpyExamples,
    ...pdpdExamples,
    {
      id: 'openvino.bidirectional.purpose',
      text: 'bidirectional serves to bring one array to a target shape, not to combine operands.',
      where: 'Bidirectional Broadcast Rules, Description',
      restsOn: ['openvino.bidirectional.2'],
    },
    {
      id: 'openvino.bidirectional.1',
      text: 'bidirectional: data and target are aligned from the right.',
      where: 'Bidirectional Broadcast Rules 1',
    },
    {
      id: 'openvino.bidirectional.2',
      text: 'bidirectional: the result is what NumPy gives for the data times ones of the target shape.',
      where: 'Bidirectional Broadcast Rules 2',
    },
    {
      id: 'openvino.bidirectional.3',
      text: 'bidirectional: two sizes are compatible when equal or when one of them is 1.',
      where: 'Bidirectional Broadcast Rules 3',
    },
    {
      id: 'openvino.bidirectional.4',
      text: 'bidirectional: the result may exceed the target, where the target has a size of 1 or a lower rank than the data.',
      where: 'Bidirectional Broadcast Rules 4',
    },
    ...bidirectionalExamples,
  ],
}
