// The vector instructions that kernels are made of, over whole registers, with their encodings.

export interface Form {
  /** The instruction over registers 0 and elements of the least width. */
  readonly word: number
  /** Bytes of the elements that it has; of the narrower ones where it makes them wider or narrower. */
  readonly widths: readonly number[]
  /** The width from which the field counts that says the width. */
  readonly least: number
  /** What stands behind the register that is written; a lane is one of the second register there. */
  readonly takes: 1 | 2 | 'amount' | 'lane'
  /** How an amount is encoded: as it is, or as what is missing to twice the width. */
  readonly right?: true
}

type Widths = Pick<Form, 'widths' | 'least'>

const ALL: Widths = { widths: [1, 2, 4, 8], least: 1 }
const NARROW: Widths = { widths: [1, 2, 4], least: 1 }
const FLOATS: Widths = { widths: [4, 8], least: 4 }
const HALVES: Widths = { widths: [2, 4], least: 2 }
const SINGLE: Widths = { widths: [4], least: 2 }
const WORDS: Widths = { widths: [4], least: 4 }

const two = (word: number, widths: Widths): Form => ({ word, ...widths, takes: 2 })
const one = (word: number, widths: Widths): Form => ({ word, ...widths, takes: 1 })
const bits = (word: number, takes: 1 | 2 = 2): Form => ({ word, widths: [1], least: 1, takes })
const left = (word: number, widths: Widths): Form => ({ word, ...widths, takes: 'amount' })
const right = (word: number, widths: Widths): Form => ({ word, ...widths, takes: 'amount', right: true })
const lane = (word: number, widths: Widths): Form => ({ word, ...widths, takes: 'lane' })

const forms = {
  // Floats.
  fadd: two(0x4e20d400, FLOATS),
  fsub: two(0x4ea0d400, FLOATS),
  fmul: two(0x6e20dc00, FLOATS),
  fdiv: two(0x6e20fc00, FLOATS),
  fmax: two(0x4e20f400, FLOATS),
  fmin: two(0x4ea0f400, FLOATS),
  fcmeq: two(0x4e20e400, FLOATS),
  fcmge: two(0x6e20e400, FLOATS),
  fcmgt: two(0x6ea0e400, FLOATS),
  fabs: one(0x4ea0f800, FLOATS),
  fneg: one(0x6ea0f800, FLOATS),
  fsqrt: one(0x6ea1f800, FLOATS),
  frintn: one(0x4e218800, FLOATS),
  frintm: one(0x4e219800, FLOATS),
  frintp: one(0x4ea18800, FLOATS),

  // Integers.
  add: two(0x4e208400, ALL),
  sub: two(0x6e208400, ALL),
  mul: two(0x4e209c00, NARROW),
  umull: two(0x2e20c000, NARROW),
  uaddlp: one(0x6e202800, NARROW),
  abs: one(0x4e20b800, ALL),
  neg: one(0x6e20b800, ALL),
  smax: two(0x4e206400, NARROW),
  umax: two(0x6e206400, NARROW),
  smin: two(0x4e206c00, NARROW),
  umin: two(0x6e206c00, NARROW),
  cmeq: two(0x6e208c00, ALL),
  cmgt: two(0x4e203400, ALL),
  cmge: two(0x4e203c00, ALL),
  cmhi: two(0x6e203400, ALL),
  cmhs: two(0x6e203c00, ALL),
  cmtst: two(0x4e208c00, ALL),
  sshl: two(0x4e204400, ALL),
  ushl: two(0x6e204400, ALL),
  shl: left(0x4f005400, ALL),
  ushr: right(0x6f000400, ALL),

  // Bits.
  and: bits(0x4e201c00),
  bic: bits(0x4e601c00),
  orr: bits(0x4ea01c00),
  orn: bits(0x4ee01c00),
  eor: bits(0x6e201c00),
  bsl: bits(0x6e601c00),
  mvn: bits(0x6e205800, 1),

  // Conversions; those that end in 2 read or write the upper half of a register.
  scvtf: one(0x4e21d800, FLOATS),
  ucvtf: one(0x6e21d800, FLOATS),
  fcvtzs: one(0x4ea1b800, FLOATS),
  fcvtzu: one(0x6ea1b800, FLOATS),
  fcvtl: one(0x0e217800, HALVES),
  fcvtl2: one(0x4e217800, HALVES),
  fcvtn: one(0x0e216800, HALVES),
  fcvtn2: one(0x4e216800, HALVES),
  fcvtxn: one(0x2e216800, SINGLE),
  fcvtxn2: one(0x6e216800, SINGLE),
  xtn: one(0x0e212800, NARROW),
  sqxtn: one(0x0e214800, NARROW),
  sqxtn2: one(0x4e214800, NARROW),
  uqxtn: one(0x2e214800, NARROW),
  uqxtn2: one(0x6e214800, NARROW),
  sshll: left(0x0f00a400, NARROW),
  sshll2: left(0x4f00a400, NARROW),
  ushll: left(0x2f00a400, NARROW),
  ushll2: left(0x6f00a400, NARROW),

  // Elements in another order.
  uzp1: two(0x4e001800, ALL),
  uzp2: two(0x4e005800, ALL),
  rev64: one(0x4e200800, NARROW),

  // Products of matrices: with one lane of a register, lines that are turned, lower halves made upper ones.
  fmulLane: lane(0x4f809000, FLOATS),
  mulLane: lane(0x4f808000, WORDS),
  mlaLane: lane(0x6f800000, WORDS),
  umlalLane: lane(0x2f802000, WORDS),
  umlal2Lane: lane(0x6f802000, WORDS),
  trn1: two(0x4e002800, ALL),
  trn2: two(0x4e006800, ALL),
  shll: one(0x2e213800, NARROW),
  shll2: one(0x6e213800, NARROW),
} satisfies Record<string, Form>

export type VectorName = keyof typeof forms

export const FORMS: Readonly<Record<VectorName, Form>> = forms

/** The bits that say how wide elements are, and by how much they are shifted or which lane is taken. */
export function widthBits(form: Form, width: number, amount: number): number {
  if (form.takes === 'lane') return (Math.log2(width / form.least) << 22) | laneBits(width, amount)
  if (form.takes !== 'amount') return Math.log2(width / form.least) << 22
  return (form.right === true ? 16 * width - amount : 8 * width + amount) << 16
}

/** A lane by its number, whose lower bit is a field of its own where there are four of them. */
function laneBits(width: number, index: number): number {
  const [upper, lower] = width === 8 ? [index, 0] : [index >> 1, index & 1]
  return (upper << 11) | (lower << 21)
}
