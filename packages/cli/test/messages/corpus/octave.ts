import type { Entry } from './entry.ts'

export const octaveMessages: readonly Entry[] = [
  {
    source: 'Octave: [1, 0, -1] + [1, 1]',
    text: 'error: operator +: nonconformant arguments (op1 is 1x3, op2 is 1x2)',
    form: 'elementwise',
    shapes: [
      [1, 3],
      [1, 2],
    ],
    rule: 'paddle',
  },
  {
    source: 'Octave: ones(2,3,4) .* ones(3,1)',
    text: 'error: product: nonconformant arguments (op1 is 2x3x4, op2 is 3x1)',
    form: 'elementwise',
    shapes: [
      [2, 3, 4],
      [3, 1],
    ],
    rule: 'paddle',
    says: 'cannot broadcast axis -3: 2 vs 3',
  },
  {
    source: 'SIMEXP/niak#296',
    text: `mx_el_or: nonconformant arguments (op1 is 122x1, op2 is 118x1)
File /usr/local/niak/extensions/glm_connectome/niak_brick_connectome_multiscale.m at line 495`,
    form: 'elementwise',
    shapes: [
      [122, 1],
      [118, 1],
    ],
    rule: 'paddle',
  },
  {
    source: 'Octave: ones(2,3) * ones(4,5)',
    text: 'error: operator *: nonconformant arguments (op1 is 2x3, op2 is 4x5)',
    form: 'product',
    about: 'matrix product',
  },
  {
    source: 'Octave 3.4: ones(4,2) - ones(1,2)',
    text: 'error: operator -: nonconformant arguments (op1 is 4x2, op2 is 1x2)',
    form: 'elementwise',
    shapes: [
      [4, 2],
      [1, 2],
    ],
    rule: 'paddle',
    verdict: 'ok',
    says: 'before 3.6',
  },
  {
    source: 'Octave: "hello" == "hi"',
    text: 'error: nonconformant arguments (op1 is 1x5, op2 is 1x2)',
    form: 'operator not named',
    shapes: [
      [1, 5],
      [1, 2],
    ],
    rule: 'paddle',
  },
  {
    source: 'Octave: ones(6,6) \\ ones(1,6)',
    text: 'error: operator \\: nonconformant arguments (op1 is 6x6, op2 is 1x6)',
    form: 'division',
    about: 'matrix division',
    says: 'as many rows',
  },
  {
    source: 'Octave: ones(2,3) / ones(2,4)',
    text: 'error: operator /: nonconformant arguments (op1 is 2x3, op2 is 2x4)',
    form: 'division',
    about: 'matrix division',
    says: 'as many columns',
  },
  {
    source: 'Octave: [ones(2,2), 1]',
    text: 'error: horizontal dimensions mismatch (2x2 vs 1x1)',
    form: 'concatenation',
    about: 'concatenation',
  },
  {
    source: 'Octave: reshape(1:6, 4, 1)',
    text: "error: reshape: can't reshape 1x6 array to 4x1 array",
    form: 'reshape',
    about: 'reshape',
  },
  {
    source: 'moiseevigor/elliptic#23',
    text: `error: =: nonconformant arguments (op1 is 2x1, op2 is 2x2)
error: called from
    ellipj at line 95 column 10`,
    form: 'assignment',
    about: 'assignment',
  },
  {
    source: 'ONSAS/ONSAS#10',
    text: `error: linearAnalysis: =: nonconformant arguments (op1 is 324x12x1, op2 is 3x1)
error: called from
    linearAnalysis at line 574 column 37`,
    form: 'assignment',
    about: 'assignment',
  },
  {
    source: 'everpeace/ml-class-assignments#10',
    text: 'error: costFunction: operator : nonconformant arguments (op1 is 1x100, op2 is 1x100) error: called from costFunction at line 16 column 3',
    form: 'product',
    about: 'matrix product',
  },
  {
    source: 'RidgeRun/gst-shark#104',
    text: `error: =: nonconformant arguments (op1 is 1x1, op2 is 0x1)
error: called from
    load_serie_timestamp_value at line 85 column 65`,
    form: 'assignment',
    about: 'assignment',
  },
  {
    source: 'vbr-calc/vbr#246',
    text: `error: =: nonconformant arguments (op1 is 5x1, op2 is 5x5)
error: called from
    Q_andrade_analytical at line 56 column 17`,
    form: 'assignment',
    about: 'assignment',
  },
]
