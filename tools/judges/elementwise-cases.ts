// Random cases of operators under their own rule: two operands, many, one, Where, Cast, PRelu, Gemm.
import { numpy, type Operator, operators } from 'bcast'
import { choicesOf } from '../../testing/attributes.ts'
import type { Random } from '../../testing/random.ts'
import { type Attributes, bytesOf, type CaseDType, type Draft, type RuleSpec, type TensorData } from './case.ts'
import { meeting, onto, randomShape } from './shapes.ts'
import { bitsToTensor, type Flavour, isFloatType, isIntegerType, randomTensor, widthOf } from './values.ts'

const FLOATS: readonly CaseDType[] = ['float16', 'bfloat16', 'float32', 'float64', 'float32']
const SIGNED: readonly CaseDType[] = ['int8', 'int16', 'int32', 'int64']
const UNSIGNED: readonly CaseDType[] = ['uint8', 'uint16', 'uint32', 'uint64']
const INTEGERS: readonly CaseDType[] = [...SIGNED, ...UNSIGNED]
export const NUMBERS: readonly CaseDType[] = [...FLOATS, ...INTEGERS]

/** The newest operator set of ONNX that cases are made for. */
const OPSET = 22

/** The types that operands of an operator are drawn from: ONNX's, or OpenVINO's where ONNX has none; float32 twice. */
function typesOf(operator: Operator): readonly CaseDType[] {
  const types = operator.onnxTypes(OPSET)?.shared ?? operator.types.shared.filter((dtype) => dtype !== 'string')
  const drawn = types.filter((dtype) => dtype !== 'real')
  return drawn.includes('float32') ? [...drawn, 'float32'] : drawn
}

const drawn = (takes: (operator: Operator) => boolean): ReadonlyMap<string, Operator> =>
  new Map(
    Object.values(operators)
      .filter(takes)
      .map((operator) => [operator.onnx?.name ?? operator.openvino!, operator]),
  )

/** Of two operands under a symmetric rule. */
const BINARY = drawn(({ most, rule }) => most === 2 && rule === numpy)
const VARIADIC = drawn(({ most }) => most === Number.POSITIVE_INFINITY)
const UNARY = drawn(({ most }) => most === 1)

/** The types of two operands that share one; beside it Pow is drawn with two. */
function sharedTypes(op: string): readonly CaseDType[] {
  if (op === 'FloorDiv') return INTEGERS
  const operator = BINARY.get(op)!
  return operator.types.own === undefined ? typesOf(operator) : NUMBERS
}

/** One of the choices of attributes; the rest of floats has to be asked for. */
function attributesOf(random: Random, operator: Operator | undefined, dtype: CaseDType): Attributes {
  if (operator === operators.mod) return { fmod: isFloatType(dtype) || random.chance(0.4) }
  const said = Object.entries(operator?.attributes ?? {}).filter(([, { onnx }]) => onnx !== false)
  return random.pick(choicesOf(Object.fromEntries(said))) as Attributes
}

const DIVISIONS = ['Div', 'FloorDiv', 'Mod', 'FloorMod']

/**
 * MIN / -1 stops several engines' processes, and each stop costs a restart: most divisors lose their -1.
 */
function withoutMinusOne(tensor: TensorData): TensorData {
  const width = widthOf(tensor.dtype)
  const bytes = bytesOf(tensor)
  const step = width / 8
  const bits = Array.from({ length: bytes.length / step }, (_, i) => {
    let value = 0n
    for (let b = step - 1; b >= 0; b--) value = (value << 8n) | BigInt(bytes[i * step + b]!)
    return value === (1n << BigInt(width)) - 1n ? 3n : value
  })
  return bitsToTensor(tensor.dtype, tensor.shape, bits)
}

function secondFlavour(random: Random, op: string, dtype: CaseDType): Flavour {
  const integer = isIntegerType(dtype)
  if (DIVISIONS.includes(op) && integer) return random.chance(0.1) ? {} : { nonzero: true }
  if (op.includes('Shift')) return random.chance(0.7) ? { upTo: widthOf(dtype) - 1 } : { upTo: widthOf(dtype) + 3 }
  if (op === 'Pow' && integer) return random.chance(0.75) ? { upTo: 9 } : { small: true }
  if (op === 'Pow') return { small: true, special: 0.2 }
  return {}
}

export function binaryInputs(
  random: Random,
  op: string,
  dtype: CaseDType,
  shapes: readonly (readonly number[])[],
): TensorData[] {
  const [a, b] = [shapes[0]!, shapes[1]!]
  const flavour = secondFlavour(random, op, dtype)
  const second = randomTensor(random, dtype, b, flavour)
  const signedDivision = DIVISIONS.includes(op) && SIGNED.includes(dtype)
  return [randomTensor(random, dtype, a), signedDivision && !random.chance(0.04) ? withoutMinusOne(second) : second]
}

export const NUMPY: RuleSpec = { name: 'numpy' }
const NAMES = [...BINARY.keys(), 'FloorDiv']

/** A binary operator with random operands of the given shapes. */
export function binary(random: Random, op: string, rule: RuleSpec, shapes: readonly (readonly number[])[]): Draft {
  const dtype = random.pick(sharedTypes(op))
  return {
    kind: 'compute',
    op,
    attrs: attributesOf(random, BINARY.get(op), dtype),
    rule,
    inputs: binaryInputs(random, op, dtype, shapes),
  }
}

export const numpyBinary = (random: Random): Draft => binary(random, random.pick(NAMES), NUMPY, meeting(random, 2))

/** Pow alone mixes types. */
export const mixedPow = (random: Random): Draft => {
  const [a, b] = meeting(random, 2)
  const base = random.pick(['int32', 'int64', ...FLOATS] as const)
  const exponent = random.pick(NUMBERS)
  const flavour = isIntegerType(exponent) && random.chance(0.7) ? { upTo: 9 } : { small: true, special: 0.2 }
  return {
    kind: 'compute',
    op: 'Pow',
    attrs: {},
    rule: NUMPY,
    inputs: [
      randomTensor(random, base, a!, { small: random.chance(0.5) }),
      randomTensor(random, exponent, b!, flavour),
    ],
  }
}

export const variadic = (random: Random): Draft => {
  const [op, operator] = random.pick([...VARIADIC])
  const dtype = random.pick(typesOf(operator))
  const shapes = meeting(random, 1 + random.below(4))
  const inputs = shapes.map((shape) => randomTensor(random, dtype, shape))
  return { kind: 'compute', op, attrs: {}, rule: NUMPY, inputs }
}

export const unary = (random: Random): Draft => {
  const [op, operator] = random.pick([...UNARY])
  const dtype = random.pick(typesOf(operator))
  const inputs = [randomTensor(random, dtype, randomShape(random))]
  return { kind: 'compute', op, attrs: attributesOf(random, operator, dtype), rule: NUMPY, inputs }
}

export const where = (random: Random): Draft => {
  const [c, x, y] = meeting(random, 3)
  const dtype = random.pick([...NUMBERS, 'bool', 'string'] as const)
  const inputs = [randomTensor(random, 'bool', c!), randomTensor(random, dtype, x!), randomTensor(random, dtype, y!)]
  return { kind: 'compute', op: 'Where', attrs: {}, rule: NUMPY, inputs }
}

export const cast = (random: Random): Draft => {
  const from = random.pick([...NUMBERS, 'bool'] as const)
  const to = random.pick([...NUMBERS, 'bool'] as const)
  return {
    kind: 'compute',
    op: 'Cast',
    attrs: { to },
    rule: NUMPY,
    inputs: [randomTensor(random, from, randomShape(random))],
  }
}

export const prelu = (random: Random): Draft => {
  const [x, slope] = onto(random)
  const dtype = random.pick([...FLOATS, 'int32', 'int64', 'uint32', 'uint64'] as const)
  const rule: RuleSpec = { name: random.chance(0.7) ? 'unidirectional' : 'openvinoPrelu' }
  const channel = rule.name === 'openvinoPrelu' && x.length > 1 && random.chance(0.6) ? [x[1]!] : slope
  const inputs = [randomTensor(random, dtype, x), randomTensor(random, dtype, channel)]
  return { kind: 'compute', op: 'PRelu', attrs: {}, rule, inputs }
}

export const gemm = (random: Random): Draft => {
  const [m, k, n] = [random.below(5), random.pick([0, 1, 2, 3, 4, 9]), 1 + random.below(5)]
  const [transA, transB] = [random.chance(0.3), random.chance(0.3)]
  const dtype = random.pick([...FLOATS, 'int32', 'int64', 'uint32', 'uint64'] as const)
  const flavour: Flavour = { small: true, special: random.chance(0.15) ? 0.2 : 0 }
  const rows = random.chance(0.05) ? k + 1 : k
  const scale = isFloatType(dtype) ? [1, 1, 0.5, -2] : [1, 1, 2]
  const inputs = [
    randomTensor(random, dtype, transA ? [k, m] : [m, k], flavour),
    randomTensor(random, dtype, transB ? [n, rows] : [rows, n], flavour),
  ]
  if (random.chance(0.85)) {
    const c = random.pick([[m, n], [n], [1, n], [m, 1], [], [1], [1, 1], [m], [1, m, n], [n, m]])
    inputs.push(randomTensor(random, dtype, c, flavour))
  }
  const attrs = { alpha: random.pick(scale), beta: random.pick(scale), transA, transB }
  return { kind: 'compute', op: 'Gemm', attrs, rule: { name: 'unidirectional' }, inputs }
}
