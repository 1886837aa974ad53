// First draft of the Broadcast specification of ONNX's safety-related profile: one step, indexes from 1.
import type { Document } from '../clause.ts'

export const sonnx1: Document = {
  prefix: 'sonnx1',
  title: 'SONNX: Broadcast, first draft',
  source: 'https://github.com/onnx/working-groups/tree/main/safety-related-profile',
  clauses: [
    {
      id: 'sonnx1.anytype',
      text: 'Broadcast is defined whatever the element type.',
      where: 'Contents',
      restsOn: ['sonnx1.relation'],
    },
    {
      id: 'sonnx1.signature',
      text: 'Broadcast takes N tensors and returns N tensors, the m-th made from the m-th.',
      where: 'Signature',
      note: 'N has no bounds in this draft.',
    },
    {
      id: 'sonnx1.purpose',
      text: 'All results have one rank and, axis by axis, one size.',
      where: 'Purpose',
      restsOn: ['sonnx1.purpose.rank', 'sonnx1.purpose.size'],
    },
    {
      id: 'sonnx1.purpose.rank',
      text: 'The common rank is the largest rank of the inputs.',
      where: 'Purpose, first objective',
    },
    {
      id: 'sonnx1.purpose.size',
      text: 'The common size of an axis is the largest size that an input has there.',
      where: 'Purpose, second objective',
      note: 'Defect: the largest size rejects 0 against 1, where ONNX and NumPy give 0; right is the common size other than 1, else 1. The `sonnx` rule keeps the text.',
    },
    {
      id: 'sonnx1.pad',
      text: 'Axes that a tensor lacks are added at its front with size 1, and its own indexes move back by as many places.',
      where: 'Purpose, more dimensions',
    },
    {
      id: 'sonnx1.stretch',
      text: 'An enlarged axis repeats the first element of that axis.',
      where: 'Purpose, larger sizes',
      note: 'Indexes start at 1 in this draft, so its index 1 is our index 0.',
    },
    {
      id: 'sonnx1.y',
      text: 'Between input and result stand tensors that share the rank but still have sizes of their own.',
      where: 'Notations',
      restsOn: ['sonnx1.pad'],
    },
    {
      id: 'sonnx1.max',
      text: 'The target size of an axis is the maximum over the tensors of equal rank.',
      where: 'Constraints',
      note: 'Misprint: the list of sizes of the m-th tensor ends with the size of the target. For 0 against 1, see sonnx1.purpose.size.',
    },
    {
      id: 'sonnx1.c1',
      text: 'Constraint C1: on each axis each tensor has the target size or 1.',
      where: 'Constraints, C1',
      note: 'With the maximum as target, 0 against 1 violates C1. The table ends in an open row: further constraints were never written.',
    },
    {
      id: 'sonnx1.relation',
      text: 'The element of a result at an index is the element of its input at f of that index, axis by axis.',
      where: 'Functionality',
      note: 'Defect: the formula gives the input as many indexes as the result, so it holds for the tensors of equal rank, not for the inputs.',
    },
    {
      id: 'sonnx1.f',
      text: 'f returns the index where a tensor has the target size, and the first index where it has size 1.',
      where: 'Functionality',
      note: 'Indexes start at 1 here: the first index is written 1. Where the target is 1 too, both cases agree.',
    },
    {
      id: 'sonnx1.f.otherwise',
      text: 'f needs no value for a size that is neither the target nor 1, since such tensors were refused before.',
      where: 'Functionality, last paragraph',
      restsOn: ['sonnx1.c1'],
      note: 'Defect: the draft refers to restrictions RI, RJ, RK and RL, which it does not contain; C1 is what excludes the case.',
    },
  ],
}
