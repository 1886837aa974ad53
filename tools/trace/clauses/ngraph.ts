// nGraph's Broadcast: an explicit operator that is told which axes of the result are new.
import type { Document } from '../clause.ts'

export const ngraph: Document = {
  prefix: 'ngraph',
  title: 'nGraph: Broadcast',
  source: 'https://github.com/NervanaSystems/ngraph/blob/master/doc/sphinx/source/ops/broadcast.rst',
  clauses: [
    {
      id: 'ngraph.description',
      text: 'Along an axis that the argument lacks, the result does not vary.',
      where: 'Description',
      restsOn: ['ngraph.definition'],
    },
    {
      id: 'ngraph.arg',
      text: 'The argument may have any element type and any shape.',
      where: 'Inputs',
    },
    {
      id: 'ngraph.axisset',
      text: 'broadcast_axes is a set, without order, of positions in the shape of the result: those that are new.',
      where: 'Attributes',
      note: 'The page does not say what a repeated position or one outside the shape means; bcast refuses both.',
    },
    {
      id: 'ngraph.output',
      text: 'The result has the element type of the argument and the shape given by the attribute shape.',
      where: 'Attributes; Outputs',
    },
    {
      id: 'ngraph.match',
      text: 'The shape without the positions in broadcast_axes must be the shape of the argument.',
      where: 'Outputs',
      note: 'Equality is meant: a size of 1 in the argument does not stretch.',
    },
    {
      id: 'ngraph.example.1',
      text: '[a, b, c] to (2,3) with axes {0} repeats the row.',
      where: 'Outputs, first example',
      restsOn: ['ngraph.definition'],
    },
    {
      id: 'ngraph.example.2',
      text: '[a, b, c] to (3,2) with axes {1} repeats each element along its row.',
      where: 'Outputs, second example',
      restsOn: ['ngraph.definition'],
    },
    {
      id: 'ngraph.p',
      text: 'p removes the coordinates of the new axes: with {1,3} it keeps the coordinates 0, 2 and 4 of five.',
      where: 'Mathematical Definition',
    },
    {
      id: 'ngraph.definition',
      text: 'The result at coordinate C is the argument at p(C).',
      where: 'Mathematical Definition',
    },
    {
      id: 'ngraph.backprop',
      text: 'The adjoint of the argument is the adjoint of the result summed over broadcast_axes.',
      where: 'Backprop',
    },
  ],
}
