// Gradients where operators have no derivative, or where one is lost in a product with zero or infinity: what bcast
// gives in float64, and what PyTorch gives where that differs. Tests hold the library to it, judges hold PyTorch to it.

const { NaN: nan, POSITIVE_INFINITY: inf } = Number

export interface Kink {
  /** The name of the function. */
  readonly call: string
  readonly attributes?: Readonly<Record<string, unknown>>
  /** The elements of each operand. */
  readonly operands: readonly (readonly (number | boolean)[])[]
  /** The gradient of the result, everywhere; 1 unless said. */
  readonly delta?: number
  /** The gradients of each operand; null for one that has none. */
  readonly gradients: readonly (readonly number[] | null)[]
  /** Those of PyTorch 2.15, where they differ, and why. */
  readonly torch?: { readonly gradients: readonly (readonly number[] | null)[]; readonly why: string }
}

const SELECTED = 'it multiplies by a zero, we select'
const CLAMPED =
  'it was as ours up to 2.13; since then an edge shares by halves between tensors, and a bound that is a number takes it all'

export const kinks: readonly Kink[] = [
  { call: 'abs', operands: [[-2, -0, 0, 3, nan]], gradients: [[-1, 0, 0, 1, 0]] },
  {
    call: 'abs',
    operands: [[0, 1]],
    delta: inf,
    gradients: [[0, inf]],
    torch: { gradients: [[nan, inf]], why: SELECTED },
  },
  { call: 'relu', operands: [[-1, -0, 0, 1, nan]], gradients: [[0, 0, 0, 1, 1]] },
  { call: 'relu', operands: [[-1, 0, 1]], delta: nan, gradients: [[0, 0, nan]] },
  {
    call: 'leakyRelu',
    attributes: { alpha: 0.25 },
    operands: [[-1, -0, 0, 1, nan]],
    gradients: [[0.25, 0.25, 0.25, 1, 0.25]],
  },
  {
    call: 'prelu',
    operands: [
      [-1, -0, 0, 1, nan],
      [0.25, 0.25, 0.25, 0.25, 0.25],
    ],
    gradients: [
      [0.25, 0.25, 0.25, 1, 0.25],
      [-1, 0, 0, 0, nan],
    ],
  },
  { call: 'elu', attributes: { alpha: 0.25 }, operands: [[-0, 0, 1, 1000, nan]], gradients: [[0.25, 0.25, 1, 1, 1]] },
  {
    call: 'hardSigmoid',
    attributes: { alpha: 0.25, beta: 0.5 },
    operands: [[-3, -2, -1, 1, 2, 3]],
    gradients: [[0, 0, 0.25, 0.25, 0, 0]],
  },
  { call: 'hardSigmoid', attributes: { alpha: 1 / 6, beta: 0.5 }, operands: [[-3, 3, nan]], gradients: [[0, 0, 0]] },
  {
    call: 'clip',
    operands: [
      [-2, -1, 0, 1, 2, nan],
      [-1, -1, -1, -1, -1, -1],
      [1, 1, 1, 1, 1, 1],
    ],
    gradients: [
      [0, 1, 1, 1, 0, 0],
      [1, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 1, 0],
    ],
    torch: {
      gradients: [
        [0, 0.5, 1, 0.5, 0, 1],
        [1, 0.5, 0, 0, 0, 0],
        [0, 0, 0, 0.5, 1, 0],
      ],
      why: CLAMPED,
    },
  },
  {
    call: 'clip',
    operands: [
      [0, 1, 2],
      [1, 1, 1],
      [1, 1, 1],
    ],
    gradients: [
      [0, 1, 0],
      [0, 0, 0],
      [0, 0, 1],
    ],
    torch: {
      gradients: [
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, 1],
      ],
      why: CLAMPED,
    },
  },
  // Bounds that cross: the upper one wins.
  {
    call: 'clip',
    operands: [
      [0, 1, 1.5, 2, 3],
      [2, 2, 2, 2, 2],
      [1, 1, 1, 1, 1],
    ],
    gradients: [
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0],
      [1, 1, 1, 1, 1],
    ],
  },
  {
    call: 'max',
    operands: [
      [1, 2, 1, 0, nan, 1, inf],
      [2, 1, 1, -0, 1, nan, inf],
    ],
    gradients: [
      [0, 1, 0.5, 0.5, 1, 1, 0.5],
      [1, 0, 0.5, 0.5, 1, 1, 0.5],
    ],
  },
  {
    call: 'min',
    operands: [
      [1, 2, 1, 0, nan, 1, -inf],
      [2, 1, 1, -0, 1, nan, -inf],
    ],
    gradients: [
      [1, 0, 0.5, 0.5, 1, 1, 0.5],
      [0, 1, 0.5, 0.5, 1, 1, 0.5],
    ],
  },
  {
    call: 'max',
    operands: [
      [2, 1, 0],
      [2, 2, 0],
      [2, 2, 5],
    ],
    gradients: [
      [1 / 3, 0, 0],
      [1 / 3, 0.5, 0],
      [1 / 3, 0.5, 1],
    ],
  },
  {
    call: 'max',
    operands: [[1], [nan], [2]],
    gradients: [[1], [1], [1]],
    torch: { gradients: [[nan], [nan], [nan]], why: 'amax, asked for more than two, divides by no ties at all' },
  },
  { call: 'max', operands: [[1, nan]], gradients: [[1, 1]] },
  // The other side has no influence, nor has what a gradient of infinity would make of it.
  {
    call: 'where',
    operands: [
      [true, false],
      [nan, nan],
      [nan, nan],
    ],
    delta: inf,
    gradients: [null, [inf, 0], [0, inf]],
  },
  {
    call: 'where',
    operands: [
      [true, false],
      [1, 1],
      [1, 1],
    ],
    delta: nan,
    gradients: [null, [nan, 0], [0, nan]],
  },
  ...['floor', 'ceil', 'round', 'sign'].map((call) => ({
    call,
    operands: [[-1.5, -0, 0, 0.5, 1, inf, nan]],
    delta: inf,
    gradients: [[0, 0, 0, 0, 0, 0, 0]],
  })),
  { call: 'sqrt', operands: [[0, -0, -1, inf]], gradients: [[inf, -inf, nan, 0]] },
  { call: 'sqrt', operands: [[0]], delta: 0, gradients: [[nan]] },
  { call: 'log', operands: [[0, -0, -1, inf]], gradients: [[inf, -inf, -1, 0]] },
  { call: 'reciprocal', operands: [[0, -0, inf]], gradients: [[-inf, -inf, 0]] },
  { call: 'gelu', operands: [[-inf, 0, inf]], gradients: [[nan, 0.5, nan]] },
  { call: 'gelu', attributes: { approximate: 'tanh' }, operands: [[-inf, 0, inf]], gradients: [[nan, 0.5, nan]] },
  { call: 'softplus', operands: [[-inf, 0, inf]], gradients: [[0, 0.5, 1]] },
  {
    call: 'div',
    operands: [
      [5, 0, 5, inf],
      [0, 0, -0, inf],
    ],
    gradients: [
      [inf, inf, -inf, 0],
      [-inf, nan, -inf, nan],
    ],
  },
  {
    call: 'pow',
    operands: [
      [-2, -2, -2, 0, 0, 0, 0, 0, 0, 1, 2, inf, nan, nan],
      [-1, 0, 2, -1, 0, 0.5, 1, 2, inf, nan, 0, 0.5, 0, 1],
    ],
    gradients: [
      [-0.25, 0, -4, -inf, 0, inf, 1, 0, nan, nan, 0, 0, 0, 1],
      [nan, nan, nan, -inf, 0, 0, 0, 0, 0, 0, Math.LN2, inf, nan, nan],
    ],
  },
  {
    call: 'pow',
    operands: [
      [0, 0],
      [0, 2],
    ],
    delta: inf,
    gradients: [
      [0, nan],
      [0, 0],
    ],
    torch: {
      gradients: [
        [0, nan],
        [nan, nan],
      ],
      why: SELECTED,
    },
  },
  {
    call: 'mod',
    attributes: { fmod: true },
    operands: [
      [-7, -7, 5, 5, 5],
      [2, -2, 2, inf, -inf],
    ],
    gradients: [
      [1, 1, 1, 1, 1],
      [3, -3, -2, 0, 0],
    ],
  },
  {
    call: 'mod',
    attributes: { fmod: true },
    operands: [
      [5, inf],
      [0, 2],
    ],
    gradients: [
      [1, 1],
      [nan, nan],
    ],
    torch: {
      gradients: [
        [1, 1],
        [-inf, -inf],
      ],
      why: 'it divides anew; where there is no rest, we have no quotient',
    },
  },
  // 1 / 0.1 rounds to 10, and 9 times 0.1 was taken away.
  {
    call: 'mod',
    attributes: { fmod: true },
    operands: [[1], [0.1]],
    gradients: [[1], [-9]],
    torch: { gradients: [[1], [-10]], why: 'it divides anew, and rounds up to the next whole number' },
  },
  {
    call: 'floorMod',
    operands: [
      [-7, -7, 5, -7, 5, 1, -1e-20],
      [2, -2, -2, inf, -inf, 0.1, 1],
    ],
    gradients: [
      [1, 1, 1, 1, 1, 1, 1],
      [4, -3, 3, 1, 1, -9, 1],
    ],
  },
]
