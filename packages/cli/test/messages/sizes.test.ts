// Whatever sizes a message has, its reading has these and no others: each framework's words around random shapes.
import { numpy, paddle } from 'bcast'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Reading, readMessages } from '../../src/messages/read.ts'
import { explained, readingText } from '../../src/messages/words.ts'

type Sizes = readonly (number | string)[]

const size = fc.oneof(fc.nat(9), fc.nat(), fc.constant(Number.MAX_SAFE_INTEGER))
/** Of one axis at least: a scalar meets everything, and TensorFlow.js writes nothing for it. */
const shape = fc.array(size, { minLength: 1, maxLength: 5 })
/** Octave and MATLAB have no shapes of fewer axes. */
const matrix = fc.array(size, { minLength: 2, maxLength: 5 })

const brackets = (sizes: Sizes) => `[${sizes.join(', ')}]`
const tuple = (sizes: Sizes) => `(${sizes.join(', ')}${sizes.length === 1 ? ',' : ''})`
const times = (sizes: Sizes) => sizes.join('x')
const axes = (sizes: Sizes) =>
  `(${sizes.map((one) => `Base.OneTo(${one})`).join(', ')}${sizes.length === 1 ? ',' : ''})`

/** Messages around two shapes, as A and B. */
const around: Readonly<Record<string, (a: Sizes, b: Sizes) => string>> = {
  NumPy: (a, b) => `operands could not be broadcast together with shapes (${a}) (${b})`,
  'NumPy with a capital': (a, b) => `Could not broadcast input array from shape(${b}) into shape (${a})`,
  JAX: (a, b) => `TypeError: mul got incompatible shapes for broadcasting: ${tuple(a)}, ${tuple(b)}.`,
  TensorFlow: (a, b) => `Incompatible shapes: [${a}] vs. [${b}] [Op:Mul]`,
  'TensorFlow.js': (a, b) => `Operands could not be broadcast together with shapes ${a} and ${b}.`,
  'PyTorch, traced': (a, b) =>
    `Dynamo failed to run FX node with fake tensors: call_function <built-in function mul>(*(FakeTensor(..., size=${tuple(a)}), FakeTensor(..., device='cuda:0', size=${tuple(b)})), **{}): got RuntimeError('The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1)')`,
  'OpenVINO on the CPU': (a, b) =>
    `Can't compute static output shape for Eltwise node with name: Add_1. Input shapes = ( 0 port = {${a.join(', ')}}, 1 port = {${b.join(', ')}}, ). Output shape = ( {?} )`,
  Paddle: (a, b) =>
    `Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = ${brackets(a)} and the shape of Y = ${brackets(b)}.`,
  TensorRT: (a, b) =>
    `elementwise inputs must have same dimensions or follow broadcast rules (input dimensions were [${a}] and [${b}]).`,
  MLX: (a, b) => `ValueError: [broadcast_shapes] Shapes (${a}) and (${b}) cannot be broadcast.`,
  'MLX onto': (a, b) => `Cannot broadcast array of shape (${b}) into shape (${a}).`,
  candle: (a, b) => `shape mismatch in broadcast_add, lhs: ${brackets(a)}, rhs: ${brackets(b)}`,
  'candle in a panic': (a, b) => `ShapeMismatchBinaryOp { lhs: ${brackets(a)}, rhs: ${brackets(b)}, op: "add" }`,
  'Core ML': (a, b) => `ValueError: Incompatible dim 1 in shapes ${tuple(a)} vs. ${tuple(b)}`,
  Espresso: (a, b) =>
    `"Invalid blob shape": elementwise_kernel_cpu: Cannot broadcast ${brackets(a)} and ${brackets(b)} status=-1`,
  'Julia, written into': (a, b) => `destination axes ${axes(a)} are not compatible with source axes ${axes(b)}`,
  'Julia equal': (a, b) => `dimensions must match: a has dims ${axes(a)}, b has dims ${axes(b)}, mismatch at 1`,
}

describe.each(Object.entries(around))('the words of %s', (_, text) => {
  it('give back the shapes that they were put around', () => {
    fc.assert(
      fc.property(shape, shape, (a, b) => {
        expect(readMessages(text(a, b)).map(({ finding }) => finding)).toMatchObject([{ shapes: [a, b] }])
      }),
      { numRuns: 50 },
    )
  })
})

it('the words of Octave give back the shapes that they were put around', () => {
  fc.assert(
    fc.property(matrix, matrix, fc.constantFrom('operator +', 'product', 'mx_el_or'), (a, b, op) => {
      const text = `error: ${op}: nonconformant arguments (op1 is ${times(a)}, op2 is ${times(b)})`
      expect(readMessages(text).map(({ finding }) => finding)).toMatchObject([{ shapes: [a, b] }])
    }),
  )
})

describe('sizes that numbers cannot hold', () => {
  const huge = fc.bigInt({ min: 2n ** 53n, max: 10n ** 40n }).map(String)

  it.each(Object.entries(around))('are refused with their digits: %s', (_, text) => {
    fc.assert(
      fc.property(shape, huge, shape, (a, digits, b) => {
        const readings = readMessages(text(a, [...b, digits]))
        expect(readings.map(({ finding }) => finding)).toMatchObject([{ kind: 'other', about: 'unread size' }])
        const shown = readingText(explained(readings[0]!)).split('\n').slice(1).join('\n')
        expect(shown).toContain(digits.slice(0, 20))
        expect(shown).not.toMatch(/e\+\d/)
      }),
      { numRuns: 20 },
    )
  })

  it.each([
    ['18446744073709551615', 'It is -1, printed as a number without a sign.'],
    ['9223372036854775808', 'It is -9223372036854775808, printed as a number without a sign.'],
  ])('are said to be negative where they are: %s', (digits, words) => {
    const [reading] = readMessages(`Attempting to broadcast an axis by a dimension other than 1. ${digits} by 3`)
    expect(readingText(explained(reading!))).toContain(words)
  })

  it.each(['9007199254740992', '6122752255950179772', '18446744073709551616'])(
    'are not said to be negative where they are not: %s',
    (digits) => {
      const [reading] = readMessages(`Attempting to broadcast an axis by a dimension other than 1. ${digits} by 3`)
      expect(readingText(explained(reading!))).not.toContain('sign')
    },
  )

  it('stay as they are where a message is not about broadcasting', () => {
    const concat =
      "While validating node 'v0::Concat Concat_1 (a[0]:f32{1,9223372036854775807}, b[0]:f32{1,2}) -> (dynamic?)' with friendly_name 'Concat_1': Argument shapes are inconsistent; they must have the same rank, and must have equal dimension everywhere except on the concatenation axis (axis 1)."
    expect(readingText(explained(readMessages(concat)[0]!))).toContain('inputs (1,9223372036854775807) and (1,2).')
  })
})

describe('symbols of PyTorch', () => {
  const sizes = (a: string, b: string) =>
    `The size of tensor a (${a}) must match the size of tensor b (${b}) at non-singleton dimension 1`

  it.each([
    ['s27: hint = 2048', '32', ['s27', 32], 'traced with s27 = 2048'],
    ['s27: hint = 2048', 's3: hint = 7', ['s27', 's3'], 'traced with s27 = 2048 and s3 = 7'],
    ['1280', 's4', [1280, 's4'], undefined],
    ['s0*s53', '784', [null, 784], undefined],
    ['((s0 - 1)//2) + 1', '8', [null, 8], undefined],
    ['u0', '2*s1', ['u0', null], undefined],
  ])('%s and %s', (a, b, expected, where) => {
    const [reading] = readMessages(sizes(a, b)) as [Reading]
    expect(reading.finding).toMatchObject({ kind: 'sizes', sizes: expected, axis: 1 })
    expect(reading.where).toBe(where)
  })

  const traced = (call: string) => `Failed running ${call}: ${sizes('3', '4')}`

  it.each([
    [
      'call_method add(*(FakeTensor(..., size=(2, s0)), FakeTensor(..., size=())), **{})',
      [[2, 's0'], []],
      'in add, traced',
    ],
    [
      'call_function aten.where.self(*(FakeTensor(..., size=(2, 3)), FakeTensor(..., size=(4,)), FakeTensor(..., size=(1,))), **{})',
      [[2, 3], [4], [1]],
      'in aten.where.self, traced',
    ],
    [
      'call_function <built-in function add>(*(FakeTensor(..., size=(s0*s1, 3)), FakeTensor(..., size=(4,))), **{})',
      [[null, 3], [4]],
      'in add, traced',
    ],
  ])('of operands: %s', (call, shapes, where) => {
    const [reading] = readMessages(traced(call)) as [Reading]
    expect(reading).toMatchObject({ form: 'traced operands', where, finding: { shapes } })
  })

  it.each([
    // One operand only, operands that hold brackets of their own, a result that is given: not all is known.
    'call_method add(*(FakeTensor(..., size=(2, 3)), 4), **{})',
    'call_method add(*(FakeTensor(..., size=((s0 - 1)//2, 3)), FakeTensor(..., size=(4,))), **{})',
    "call_function add(*(FakeTensor(..., size=(2, 3)), FakeTensor(..., size=(4,))), **{'out': FakeTensor(..., size=(2, 3))})",
  ])('are not taken of operands that are not all there: %s', (call) => {
    expect(readMessages(traced(call))).toMatchObject([{ form: 'sizes', finding: { sizes: [3, 4], axis: 1 } }])
  })
})

describe('shapes that line up at the first axis', () => {
  const small = fc.array(fc.nat(3), { minLength: 1, maxLength: 4 })

  /** Ones at the end of the shorter shape, and then as NumPy has it. */
  const meets = (a: readonly number[], b: readonly number[]): boolean => {
    const rank = Math.max(a.length, b.length)
    const padded = [a, b].map((sizes) => [...sizes, ...Array.from({ length: rank - sizes.length }, () => 1)])
    return padded[0]!.every((one, axis) => one === padded[1]![axis] || one === 1 || padded[1]![axis] === 1)
  }

  it('are judged as Octave does', () => {
    fc.assert(
      fc.property(small, small, (a, b) => {
        const [left, right] = [a, b].map((sizes) => (sizes.length === 1 ? [...sizes, 1] : sizes)) as [
          number[],
          number[],
        ]
        const text = `error: operator +: nonconformant arguments (op1 is ${times(left)}, op2 is ${times(right)})`
        const whole = explained(readMessages(text)[0]!)
        expect(whole.verdict).toBe(meets(left, right) ? 'ok' : 'error')
        expect(readingText(whole)).toContain("shapes line up at the first axis, as bcast's rule paddle(axis=0) has it")
      }),
    )
  })

  it.each([
    'MATLAB: Arrays have incompatible sizes for this operation.',
    'DimensionMismatch: array could not be broadcast to match destination',
    'arrays could not be broadcast to a common size; got a dimension with lengths 4 and 5',
  ])('are asked for under a rule that does so: %s', (text) => {
    expect(readingText(explained(readMessages(text)[0]!))).toContain('bcast explain SHAPE SHAPE --rule paddle --axis 0')
  })
})

describe('the axis at which Paddle starts', () => {
  const small = (minLength: number) => fc.array(fc.integer({ min: 1, max: 4 }), { minLength, maxLength: minLength })
  const cases = fc
    .record({ rank: fc.integer({ min: 1, max: 5 }), smaller: fc.integer({ min: 1, max: 5 }), at: fc.nat(4) })
    .filter(({ rank, smaller, at }) => smaller <= rank && at <= rank - smaller)
    .chain(({ rank, smaller, at }) => fc.tuple(small(rank), small(smaller), fc.constant(at), fc.boolean()))

  it('is found where the message gives it away, and its shapes fail as it says', () => {
    fc.assert(
      fc.property(cases, ([large, few, start, isSwapped]) => {
        const axis = large.length === few.length ? 0 : start
        const placed = large.map((_, i) => few[i - axis] ?? 1)
        const at = large.findIndex((one, i) => one !== placed[i] && one !== 1 && placed[i] !== 1)
        fc.pre(at >= 0)
        const [x, y] = isSwapped ? [few, large] : [large, few]
        const [a, b] = isSwapped ? [placed[at], large[at]] : [large[at], placed[at]]
        const text = `Broadcast dimension mismatch. Operands could not be broadcast together with the shape of X = ${brackets(x)} and the shape of Y = ${brackets(y)}. Received [${a}] in X is not equal to [${b}] in Y at i:${at}.`
        const [reading] = readMessages(text) as [Reading]
        const { finding } = reading
        if (finding.kind !== 'shapes') throw new Error(finding.kind)
        expect(finding.shapes).toEqual([x, y])
        const starts = Array.from({ length: large.length - few.length + 1 }, (_, one) => one).filter(
          (one) => few[at - one] === placed[at],
        )
        const end = large.length - few.length
        const expected = starts.includes(end) ? numpy : paddle({ axis: starts[0]! })
        expect(starts).toContain(axis)
        expect(finding.rule.label).toBe(expected.label)
        expect(explained(reading).verdict).toBe('error')
      }),
    )
  })
})
