// ONNX's page on broadcasting: two kinds, their conditions, their examples, and the operators that use each.
import type { Clause, Document } from '../clause.ts'

const multi = 'Multidirectional Broadcasting'
const uni = 'Unidirectional Broadcasting'

const operator = (name: string): Clause => ({
  id: `onnx.multi.op.${name.toLowerCase()}`,
  text: `${name} broadcasts its operands multidirectionally.`,
  where: `${multi}, operators`,
})

const example =
  (kind: 'multi' | 'uni', where: string) =>
  ([a, b]: readonly [string, string], index: number): Clause => ({
    id: `onnx.${kind}.example.${index + 1}`,
    text: `A ${a} with B ${b} gives (2,3,4,5).`,
    where: `${where}, example ${index + 1}`,
    restsOn: [`onnx.${kind}.2`, `onnx.${kind}.3`],
  })

export const onnx: Document = {
  prefix: 'onnx',
  title: 'ONNX: Broadcasting in ONNX',
  source: 'https://github.com/onnx/onnx/blob/main/docs/Broadcasting.md',
  clauses: [
    {
      id: 'onnx.elementwise',
      text: 'An element-wise operator accepts operands of unequal shapes if, and only if, they can be brought to one shape.',
      where: 'Introduction',
      restsOn: ['onnx.multi.1', 'onnx.multi.2', 'onnx.multi.3'],
    },
    {
      id: 'onnx.multi.set',
      text: 'The multidirectional conditions speak of any number of tensors, not only of two.',
      where: multi,
      restsOn: ['onnx.multi.1', 'onnx.multi.2', 'onnx.multi.3'],
    },
    {
      id: 'onnx.multi.1',
      text: 'Equal shapes are compatible and stay as they are.',
      where: `${multi}, condition 1`,
    },
    {
      id: 'onnx.multi.2',
      text: 'At equal rank, an axis is compatible when all its sizes other than 1 agree; a size of 1 stretches to them.',
      where: `${multi}, condition 2`,
      note: 'The page never speaks of size 0. Read as any other common length: 0 with 1 gives 0, 0 with more than 1 is an error.',
    },
    {
      id: 'onnx.multi.3',
      text: 'A shape of lower rank gets sizes of 1 in front until condition 2 can be asked.',
      where: `${multi}, condition 3`,
      note: 'The page speaks of one added dimension; its own first example needs four.',
    },
    ...(
      [
        ['(2,3,4,5)', '()'],
        ['(2,3,4,5)', '(5)'],
        ['(4,5)', '(2,3,4,5)'],
        ['(1,4,5)', '(2,3,1,1)'],
        ['(3,4,5)', '(2,1,1,1)'],
      ] as const
    ).map(example('multi', multi)),
    {
      id: 'onnx.numpy',
      text: "Multidirectional broadcasting and NumPy's give the same answer for all shapes.",
      where: multi,
      restsOn: ['onnx.multi.1', 'onnx.multi.2', 'onnx.multi.3'],
    },
    ...[
      'Add',
      'And',
      'Div',
      'Equal',
      'Greater',
      'Less',
      'Max',
      'Mean',
      'Min',
      'Mul',
      'Or',
      'Pow',
      'Sub',
      'Sum',
      'Where',
      'Xor',
    ].map(operator),
    {
      id: 'onnx.uni.1',
      text: 'B may have exactly the shape of A.',
      where: `${uni}, condition 1`,
    },
    {
      id: 'onnx.uni.2',
      text: 'At equal rank, each size of B is that of A or 1; a size of 1 in A does not stretch.',
      where: `${uni}, condition 2`,
      note: 'Size 0 is not mentioned: a 1 of B meets a 0 of A, while a 0 of B against a 1 of A is an error.',
    },
    {
      id: 'onnx.uni.3',
      text: 'B of lower rank gets sizes of 1 in front until condition 2 can be asked; A never does.',
      where: `${uni}, condition 3`,
    },
    {
      id: 'onnx.uni.shape',
      text: 'The result has the shape of A.',
      where: uni,
      note: 'The page calls it the larger of the two shapes; with A (0) and B (1) it is the smaller, and it is still that of A.',
    },
    ...(
      [
        ['(2,3,4,5)', '()'],
        ['(2,3,4,5)', '(5)'],
        ['(2,3,4,5)', '(2,1,1,5)'],
        ['(2,3,4,5)', '(1,3,1,5)'],
      ] as const
    ).map(example('uni', uni)),
    {
      id: 'onnx.uni.op.gemm',
      text: 'Gemm broadcasts C unidirectionally onto the product of A and B.',
      where: `${uni}, operators`,
    },
    {
      id: 'onnx.uni.op.prelu',
      text: 'PRelu broadcasts the slope unidirectionally onto X.',
      where: `${uni}, operators`,
      note: 'onnxruntime lets the slope enlarge X; bcast keeps to the page.',
    },
  ],
}
