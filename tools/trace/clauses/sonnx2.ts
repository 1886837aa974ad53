// Second draft of the Broadcast specification of ONNX's safety-related profile: types, two steps X -> Y -> Z,
// and a recursive description. It mixes indexes from 0 (informal part) and from 1 (the rest); notes say where.
import type { Clause, Document } from '../clause.ts'

const typeNames: readonly (readonly [name: string, text: string])[] = [
  ['real', 'exact numbers'],
  ['float16', 'binary16'],
  ['float', 'binary32, our float32'],
  ['double', 'binary64, our float64'],
  ['int8', 'signed 8-bit integers'],
  ['int16', 'signed 16-bit integers'],
  ['int32', 'signed 32-bit integers'],
  ['int64', 'signed 64-bit integers'],
  ['uint8', 'unsigned 8-bit integers'],
  ['uint16', 'unsigned 16-bit integers'],
  ['uint32', 'unsigned 32-bit integers'],
  ['uint64', 'unsigned 64-bit integers'],
  ['string', 'text'],
  ['boolean', 'truth values, our bool'],
]

const typeClause = ([name, text]: readonly [string, string]): Clause => ({
  id: `sonnx2.type.${name}`,
  text: `Broadcast is defined for \`${name}\`: ${text}.`,
  where: 'Contents',
  partOf: 'sonnx2.types',
})

const informal = 'Informal specification'
const functionality = 'Functionality description'
const alternate = 'Alternate functionality description'

export const sonnx2: Document = {
  prefix: 'sonnx2',
  title: 'SONNX: Broadcast, second draft',
  source: 'https://github.com/onnx/working-groups/tree/main/safety-related-profile',
  clauses: [
    {
      id: 'sonnx2.types',
      text: 'Broadcast is defined for fourteen element types; `float`, `double` and `boolean` name float32, float64 and bool.',
      where: 'Contents',
      note: 'bfloat16 is missing from the list. The heading repeats one type for all tensors; since elements only move, bcast lets their types differ.',
    },
    ...typeNames.map(typeClause),
    {
      id: 'sonnx2.signature',
      text: 'Broadcast takes the tensors X0 to XL and returns as many, Z0 to ZL, in the same order.',
      where: 'Signature',
      note: 'The later sections number the tensors 1 to N instead; N = L + 1.',
    },
    {
      id: 'sonnx2.l',
      text: 'L is at least 0 and less than 2^31 - 1: from one tensor to 2^31 - 1 of them.',
      where: 'Signature',
    },
    {
      id: 'sonnx2.onnx',
      text: "The functionality is that of ONNX's multidirectional broadcasting.",
      where: 'Link to ONNX description',
      restsOn: ['sonnx2.max', 'sonnx2.c1'],
      note: 'Defect: false for size 0. The draft takes the maximum, so 0 against 1 violates C1, where ONNX gives 0.',
    },
    {
      id: 'sonnx2.restrictions',
      text: 'The profile takes nothing away from what ONNX allows.',
      where: 'Restrictions',
      restsOn: ['sonnx2.max', 'sonnx2.c1'],
      note: 'The maximum does take away 0 against 1, see sonnx2.max.',
    },
    {
      id: 'sonnx2.elementwise',
      text: 'Broadcasting lets element-wise operators such as Add and Mul take operands of unequal shapes.',
      where: informal,
      restsOn: ['sonnx2.step.1', 'sonnx2.step.2'],
    },
    {
      id: 'sonnx2.purpose',
      text: 'All results have one rank and, axis by axis, one size.',
      where: informal,
      restsOn: ['sonnx2.ny', 'sonnx2.max'],
    },
    {
      id: 'sonnx2.repeat',
      text: 'A result holds elements of its own input only, repeated as often as the shape asks.',
      where: informal,
      restsOn: ['sonnx2.relation'],
    },
    {
      id: 'sonnx2.condition.1',
      text: 'The rank of the results is the largest of the inputs; axes that a tensor lacks come first, have size 1, and leave its elements reachable.',
      where: `${informal}, condition 1`,
      restsOn: ['sonnx2.ny', 'sonnx2.pad', 'sonnx2.index'],
    },
    {
      id: 'sonnx2.condition.2',
      text: 'The size of an axis is the largest after padding; indexes that the input lacks there read its index 0.',
      where: `${informal}, condition 2`,
      restsOn: ['sonnx2.max', 'sonnx2.f'],
      note: 'Defects: the text says indexes larger than the size, where it must say at least the size; and the largest size rejects 0 against 1.',
    },
    {
      id: 'sonnx2.step.1',
      text: 'Step 1 turns the inputs X into tensors Y of one rank.',
      where: informal,
    },
    {
      id: 'sonnx2.step.2',
      text: 'Step 2 turns the tensors Y into results Z of one shape; an enlarged axis is read at its first element whatever the index.',
      where: `${informal}; Description of step 2`,
      note: 'The drawings that the draft announces are missing.',
    },
    {
      id: 'sonnx2.ny',
      text: 'nY, the common rank, is the maximum of the ranks of the inputs.',
      where: `Description of step 1; ${functionality}`,
      note: 'Stated twice: over tensors 0 to L, then over tensors 1 to N.',
    },
    {
      id: 'sonnx2.pad',
      text: 'Y has nY - nX leading sizes of 1, followed by the sizes of X.',
      where: `Description of step 1; ${functionality}`,
      note: 'Stated twice: with axes from 0 (axis < nY - nX is padding), then from 1 (axis <= nY - nX). Both mean the same.',
    },
    {
      id: 'sonnx2.index',
      text: 'The element of Y at an index is the element of X at that index without its leading, constant part.',
      where: `Description of step 1; ${functionality}`,
      note: 'Defect: step 1 fills the leading part with ones although indexes start at 0 there; a size of 1 has index 0 only. Ones are right in the later section, which counts from 1.',
    },
    {
      id: 'sonnx2.index.last',
      text: 'The same without the constant part: an element of Y is found in X by its last nX indexes.',
      where: functionality,
      restsOn: ['sonnx2.index'],
    },
    {
      id: 'sonnx2.max',
      text: 'The target size of an axis is the maximum over the tensors Y.',
      where: 'Constraints',
      note: 'Defect: the maximum rejects 0 against 1, where ONNX and NumPy give 0; right is the common size other than 1, else 1. The `sonnx` rule keeps the text. Axes and tensors count from 1 here.',
    },
    {
      id: 'sonnx2.c1',
      text: 'Constraint C1: on each axis each tensor Y has the target size or 1.',
      where: 'Constraints, C1',
      note: 'Axes and tensors count from 1 here, from 0 in step 1.',
    },
    {
      id: 'sonnx2.f',
      text: 'f returns the index where a tensor has the target size, and the first index where it has size 1.',
      where: functionality,
      note: 'Indexes start at 1 here: the first index is written 1, against index 0 in condition 2.',
    },
    {
      id: 'sonnx2.f.otherwise',
      text: 'Under C1 f needs no value for a size that is neither the target nor 1.',
      where: functionality,
      restsOn: ['sonnx2.c1'],
    },
    {
      id: 'sonnx2.relation',
      text: 'The element of Z at an index is the element of Y at f of that index, axis by axis.',
      where: functionality,
      note: 'Indexes start at 1 here.',
    },
    {
      id: 'sonnx2.commutative',
      text: 'Reordering the inputs reorders the results in the same way, so that inputs may be taken in order of rank.',
      where: alternate,
      restsOn: ['sonnx2.ny', 'sonnx2.max', 'sonnx2.relation'],
      note: 'Called commutative by the draft; strictly, Broadcast commutes with permutations.',
    },
    {
      id: 'sonnx2.recursive',
      text: 'Broadcasting N tensors is broadcasting the first N - 1 and then meeting the last one.',
      where: alternate,
      restsOn: ['sonnx2.binary'],
      note: 'Defects: the second line says XN where XN-1 is meant; and the inner call returns N - 1 tensors where the outer, binary one takes one: each of them must meet the last tensor.',
    },
    {
      id: 'sonnx2.binary',
      text: 'Broadcast of two tensors is enough to define Broadcast of any number.',
      where: alternate,
    },
    {
      id: 'sonnx2.binary.ny',
      text: 'Of two tensors the common rank is the larger rank; X1 may be taken as the one of lower rank.',
      where: alternate,
      partOf: 'sonnx2.binary',
    },
    {
      id: 'sonnx2.binary.pad',
      text: 'Y1 has nY - nX1 leading sizes of 1, followed by the sizes of X1.',
      where: alternate,
      partOf: 'sonnx2.binary',
      note: 'Misprint: the formula says nXm where nX1 is meant.',
    },
    {
      id: 'sonnx2.binary.index',
      text: 'An element of Y1 is found in X1 by its last nX1 indexes.',
      where: alternate,
      partOf: 'sonnx2.binary',
    },
    {
      id: 'sonnx2.binary.same',
      text: 'Y2 is X2, sizes and elements alike.',
      where: alternate,
      partOf: 'sonnx2.binary',
      note: 'Misprint: both formulas for Y2 and X2 are written with Y1 and X1.',
    },
    {
      id: 'sonnx2.binary.max',
      text: 'Of two tensors the target size of an axis is the larger of both sizes, under C1.',
      where: alternate,
      partOf: 'sonnx2.binary',
      note: 'For 0 against 1, see sonnx2.max.',
    },
    {
      id: 'sonnx2.binary.relation',
      text: 'Z1 reads Y1 and Z2 reads Y2 at f of the index; an axis of size 1 is always read at its first element.',
      where: alternate,
      partOf: 'sonnx2.binary',
    },
  ],
}
