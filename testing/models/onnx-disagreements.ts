// Where ONNX's own shape inference and the one here say different things of the models that the tests run, and why. The
// list is exact: tests fail when one of these is gone or another one comes.

export interface KnownDisagreement {
  readonly models: readonly string[]
  /** Places of the runs in the list of the model. */
  readonly runs: readonly number[]
  readonly reason: string
  /** By scope and name. */
  readonly values: readonly string[]
}

const branch = 'graph.node[2].attribute[0].g'
const value = (scope: string, name: string): string => `${branch}${scope}/If_0_else_branch__Inline_0_${name}`

export const knownDisagreements: readonly KnownDisagreement[] = [
  {
    models: ['silero_vad_v5.onnx', 'silero_vad_v6.onnx'],
    runs: [0, 1],
    reason:
      'inputs of 16 kHz do not fit the branch for 8 kHz: with their sizes an If inside it is decided and an LSTM gets rank 5, so nothing is known behind it; ONNX does not decide the If and goes on',
    values: [
      ...[
        '_/decoder/If_1_output_0',
        '_/decoder/If_1_output_1',
        '_/decoder/Unsqueeze_output_0',
        '_/decoder/Unsqueeze_1_output_0',
        '_/decoder/Unsqueeze_2_output_0',
        'outputs_1',
      ].map((name) => value('', name)),
      ...[
        '_/decoder/rnn/LSTM_output_0',
        '_/decoder/rnn/LSTM_output_1',
        '_/decoder/rnn/LSTM_output_2',
        '_/decoder/rnn/Squeeze_output_0',
        '_/decoder/rnn/Squeeze_1_output_0',
        '_/decoder/rnn/If_4_output_0',
        '_/decoder/rnn/If_4_output_1',
      ].map((name) => value('.node[90].attribute[0].g', name)),
      ...['_/decoder/rnn/Unsqueeze_output_0'].map((name) =>
        value('.node[90].attribute[0].g.node[8].attribute[0].g', name),
      ),
      ...[
        '_/decoder/rnn/Shape_1_output_0',
        '_/decoder/rnn/Shape_2_output_0',
        '_/decoder/rnn/If_2_output_0',
        '_/decoder/rnn/If_3_output_0',
      ].map((name) => value('.node[90].attribute[0].g.node[82].attribute[0].g', name)),
      ...['_/decoder/rnn/Squeeze_2_output_0'].map((name) =>
        value('.node[90].attribute[0].g.node[82].attribute[0].g.node[5].attribute[0].g', name),
      ),
      ...['_/decoder/rnn/Identity_3_output_0'].map((name) =>
        value('.node[90].attribute[0].g.node[82].attribute[0].g.node[5].attribute[1].g', name),
      ),
      ...['_/decoder/rnn/Squeeze_3_output_0'].map((name) =>
        value('.node[90].attribute[0].g.node[82].attribute[0].g.node[11].attribute[0].g', name),
      ),
      ...['_/decoder/rnn/Identity_4_output_0'].map((name) =>
        value('.node[90].attribute[0].g.node[82].attribute[0].g.node[11].attribute[1].g', name),
      ),
    ],
  },
]

/** Test directories that ONNX refuses to look at. */
export const knownRefusals: { readonly reason: string; readonly directories: readonly string[] } = {
  reason: 'the attributes broadcast and axis, in an operator set that has none',
  directories: [
    ...[
      'test_add_bcast',
      'test_div_bcast',
      'test_less_bcast',
      'test_mul_bcast',
      'test_sub_bcast',
      'test_pow_bcast_axis0',
    ],
    ...['test_and_axis0', 'test_and_axis1', 'test_and_axis2', 'test_and_axis3'],
    ...['test_or_axis0', 'test_or_axis1', 'test_or_axis3'],
    ...['test_or_bcast3v1d', 'test_or_bcast3v2d', 'test_or_bcast4v2d', 'test_or_bcast4v3d'],
    ...['test_xor_axis0', 'test_xor_axis1', 'test_xor_axis2', 'test_xor_axis3'],
    ...['test_xor_bcast4v2d', 'test_xor_bcast4v3d'],
  ],
}

/** The values of a run of a model that the list names. */
export const listedValues = (model: string, run: number | undefined): readonly string[] =>
  knownDisagreements
    .filter(({ models, runs }) => models.includes(model) && run !== undefined && runs.includes(run))
    .flatMap(({ values }) => values)
    .sort()
