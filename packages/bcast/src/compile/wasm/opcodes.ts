// The WebAssembly instructions that kernels use: encoding, what they take from the stack and what they leave on it.
// Codes from the core specification, version 2 (SIMD included).

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128'

export interface Opcode {
  readonly code: readonly number[]
  readonly takes: readonly ValueType[]
  readonly gives: readonly ValueType[]
}

/** SIMD codes follow the prefix 0xfd as a LEB128 number. */
const simd = (code: number): number[] => [0xfd, ...(code < 128 ? [code] : [(code & 0x7f) | 0x80, code >> 7])]

const table = new Map<string, Opcode>()

const define = (
  code: readonly number[],
  takes: readonly ValueType[],
  gives: readonly ValueType[],
  name: string,
): void => {
  table.set(name, { code, takes, gives })
}

/** Consecutive codes for a list of names; `-` leaves a gap. */
function run(
  first: number,
  encode: (code: number) => readonly number[],
  takes: readonly ValueType[],
  gives: readonly ValueType[],
  names: string,
): void {
  names.split(' ').forEach((name, i) => {
    if (name !== '-') define(encode(first + i), takes, gives, name)
  })
}

const plain = (code: number): readonly number[] => [code]
const V = 'v128'

run(
  0x46,
  plain,
  ['i32', 'i32'],
  ['i32'],
  'i32.eq i32.ne i32.lt_s i32.lt_u i32.gt_s i32.gt_u i32.le_s i32.le_u i32.ge_s i32.ge_u',
)
run(
  0x51,
  plain,
  ['i64', 'i64'],
  ['i32'],
  'i64.eq i64.ne i64.lt_s i64.lt_u i64.gt_s i64.gt_u i64.le_s i64.le_u i64.ge_s i64.ge_u',
)
run(
  0x6a,
  plain,
  ['i32', 'i32'],
  ['i32'],
  'i32.add i32.sub i32.mul i32.div_s i32.div_u i32.rem_s i32.rem_u i32.and i32.or i32.xor i32.shl i32.shr_s i32.shr_u',
)
run(
  0x7c,
  plain,
  ['i64', 'i64'],
  ['i64'],
  'i64.add i64.sub i64.mul i64.div_s i64.div_u i64.rem_s i64.rem_u i64.and i64.or i64.xor i64.shl i64.shr_s i64.shr_u',
)
run(0xa0, plain, ['f64', 'f64'], ['f64'], 'f64.add f64.sub f64.mul f64.div')
run(0x92, plain, ['f32', 'f32'], ['f32'], 'f32.add f32.sub f32.mul f32.div')
define([0x45], ['i32'], ['i32'], 'i32.eqz')
define([0x50], ['i64'], ['i32'], 'i64.eqz')
define([0x9d], ['f64'], ['f64'], 'f64.trunc')
define([0xa7], ['i64'], ['i32'], 'i32.wrap_i64')
define([0xac], ['i32'], ['i64'], 'i64.extend_i32_s')
define([0xad], ['i32'], ['i64'], 'i64.extend_i32_u')
define([0xb6], ['f64'], ['f32'], 'f32.demote_f64')
define([0xb4], ['i64'], ['f32'], 'f32.convert_i64_s')
define([0xb5], ['i64'], ['f32'], 'f32.convert_i64_u')
define([0xb9], ['i64'], ['f64'], 'f64.convert_i64_s')
define([0xba], ['i64'], ['f64'], 'f64.convert_i64_u')
define([0xbb], ['f32'], ['f64'], 'f64.promote_f32')
define([0xfc, 6], ['f64'], ['i64'], 'i64.trunc_sat_f64_s')
define([0xfc, 7], ['f64'], ['i64'], 'i64.trunc_sat_f64_u')

const LANES = ['i8x16', 'i16x8', 'i32x4', 'i64x2', 'f32x4', 'f64x2'] as const
const SCALAR: readonly ValueType[] = ['i32', 'i32', 'i32', 'i64', 'f32', 'f64']
LANES.forEach((lane, i) => {
  define(simd(15 + i), [SCALAR[i]!], [V], `${lane}.splat`)
})
const ordered = (lane: string): string =>
  ['eq', 'ne', 'lt_s', 'lt_u', 'gt_s', 'gt_u', 'le_s', 'le_u', 'ge_s', 'ge_u'].map((op) => `${lane}.${op}`).join(' ')
const floats = (lane: string): string => ['eq', 'ne', 'lt', 'gt', 'le', 'ge'].map((op) => `${lane}.${op}`).join(' ')
run(
  35,
  simd,
  [V, V],
  [V],
  `${ordered('i8x16')} ${ordered('i16x8')} ${ordered('i32x4')} ${floats('f32x4')} ${floats('f64x2')}`,
)
define(simd(77), [V], [V], 'v128.not')
run(78, simd, [V, V], [V], 'v128.and v128.andnot v128.or v128.xor')
define(simd(82), [V, V, V], [V], 'v128.bitselect')
define(simd(83), [V], ['i32'], 'v128.any_true')
run(94, simd, [V], [V], 'f32x4.demote_f64x2_zero f64x2.promote_low_f32x4 i8x16.abs i8x16.neg')
run(101, simd, [V, V], [V], 'i8x16.narrow_i16x8_s i8x16.narrow_i16x8_u')
run(103, simd, [V], [V], 'f32x4.ceil f32x4.floor f32x4.trunc f32x4.nearest')
run(107, simd, [V, 'i32'], [V], 'i8x16.shl i8x16.shr_s i8x16.shr_u')
define(simd(110), [V, V], [V], 'i8x16.add')
define(simd(113), [V, V], [V], 'i8x16.sub')
run(116, simd, [V], [V], 'f64x2.ceil f64x2.floor')
run(118, simd, [V, V], [V], 'i8x16.min_s i8x16.min_u i8x16.max_s i8x16.max_u')
define(simd(122), [V], [V], 'f64x2.trunc')
run(128, simd, [V], [V], 'i16x8.abs i16x8.neg')
run(133, simd, [V, V], [V], 'i16x8.narrow_i32x4_s i16x8.narrow_i32x4_u')
run(
  135,
  simd,
  [V],
  [V],
  'i16x8.extend_low_i8x16_s i16x8.extend_high_i8x16_s i16x8.extend_low_i8x16_u i16x8.extend_high_i8x16_u',
)
run(139, simd, [V, 'i32'], [V], 'i16x8.shl i16x8.shr_s i16x8.shr_u')
define(simd(142), [V, V], [V], 'i16x8.add')
define(simd(145), [V, V], [V], 'i16x8.sub')
define(simd(148), [V], [V], 'f64x2.nearest')
run(149, simd, [V, V], [V], 'i16x8.mul i16x8.min_s i16x8.min_u i16x8.max_s i16x8.max_u')
run(160, simd, [V], [V], 'i32x4.abs i32x4.neg')
run(
  167,
  simd,
  [V],
  [V],
  'i32x4.extend_low_i16x8_s i32x4.extend_high_i16x8_s i32x4.extend_low_i16x8_u i32x4.extend_high_i16x8_u',
)
run(171, simd, [V, 'i32'], [V], 'i32x4.shl i32x4.shr_s i32x4.shr_u')
define(simd(174), [V, V], [V], 'i32x4.add')
define(simd(177), [V, V], [V], 'i32x4.sub')
run(181, simd, [V, V], [V], 'i32x4.mul i32x4.min_s i32x4.min_u i32x4.max_s i32x4.max_u')
run(192, simd, [V], [V], 'i64x2.abs i64x2.neg')
run(
  199,
  simd,
  [V],
  [V],
  'i64x2.extend_low_i32x4_s i64x2.extend_high_i32x4_s i64x2.extend_low_i32x4_u i64x2.extend_high_i32x4_u',
)
run(203, simd, [V, 'i32'], [V], 'i64x2.shl i64x2.shr_s i64x2.shr_u')
define(simd(206), [V, V], [V], 'i64x2.add')
define(simd(209), [V, V], [V], 'i64x2.sub')
run(213, simd, [V, V], [V], 'i64x2.mul i64x2.eq i64x2.ne i64x2.lt_s i64x2.gt_s i64x2.le_s i64x2.ge_s')
run(224, simd, [V], [V], 'f32x4.abs f32x4.neg - f32x4.sqrt')
run(228, simd, [V, V], [V], 'f32x4.add f32x4.sub f32x4.mul f32x4.div f32x4.min f32x4.max f32x4.pmin f32x4.pmax')
run(236, simd, [V], [V], 'f64x2.abs f64x2.neg - f64x2.sqrt')
run(240, simd, [V, V], [V], 'f64x2.add f64x2.sub f64x2.mul f64x2.div f64x2.min f64x2.max f64x2.pmin f64x2.pmax')
run(
  248,
  simd,
  [V],
  [V],
  'i32x4.trunc_sat_f32x4_s i32x4.trunc_sat_f32x4_u f32x4.convert_i32x4_s f32x4.convert_i32x4_u i32x4.trunc_sat_f64x2_s_zero i32x4.trunc_sat_f64x2_u_zero f64x2.convert_low_i32x4_s f64x2.convert_low_i32x4_u',
)

/** Instructions without immediates, by name. */
export const opcodes: ReadonlyMap<string, Opcode> = table

/** Instructions that name a lane; `memory` ones also take an address below the vector. */
export const laneOpcodes: ReadonlyMap<string, Opcode> = new Map<string, Opcode>([
  ['i8x16.extract_lane_s', { code: simd(21), takes: [V], gives: ['i32'] }],
  ['i8x16.extract_lane_u', { code: simd(22), takes: [V], gives: ['i32'] }],
  ['i8x16.replace_lane', { code: simd(23), takes: [V, 'i32'], gives: [V] }],
  ['i16x8.extract_lane_s', { code: simd(24), takes: [V], gives: ['i32'] }],
  ['i16x8.extract_lane_u', { code: simd(25), takes: [V], gives: ['i32'] }],
  ['i16x8.replace_lane', { code: simd(26), takes: [V, 'i32'], gives: [V] }],
  ['i32x4.extract_lane', { code: simd(27), takes: [V], gives: ['i32'] }],
  ['i32x4.replace_lane', { code: simd(28), takes: [V, 'i32'], gives: [V] }],
  ['i64x2.extract_lane', { code: simd(29), takes: [V], gives: ['i64'] }],
  ['i64x2.replace_lane', { code: simd(30), takes: [V, 'i64'], gives: [V] }],
  ['f32x4.extract_lane', { code: simd(31), takes: [V], gives: ['f32'] }],
  ['f32x4.replace_lane', { code: simd(32), takes: [V, 'f32'], gives: [V] }],
  ['f64x2.extract_lane', { code: simd(33), takes: [V], gives: ['f64'] }],
  ['f64x2.replace_lane', { code: simd(34), takes: [V, 'f64'], gives: [V] }],
])

/** Loads and stores: code, what they take and give, and the largest alignment hint as a power of two. */
export const memoryOpcodes: ReadonlyMap<string, Opcode & { readonly align: number }> = new Map(
  (
    [
      ['i32.load', [0x28], ['i32'], ['i32'], 2],
      ['i32.store', [0x36], ['i32', 'i32'], [], 2],
      ['v128.load', simd(0), ['i32'], [V], 4],
      ['v128.load8_splat', simd(7), ['i32'], [V], 0],
      ['v128.load16_splat', simd(8), ['i32'], [V], 1],
      ['v128.load32_splat', simd(9), ['i32'], [V], 2],
      ['v128.load64_splat', simd(10), ['i32'], [V], 3],
      ['v128.store', simd(11), ['i32', V], [], 4],
      ['v128.load32_zero', simd(92), ['i32'], [V], 2],
      ['v128.load64_zero', simd(93), ['i32'], [V], 3],
    ] as const
  ).map(([name, code, takes, gives, align]) => [name, { code, takes: [...takes], gives: [...gives], align }]),
)

/** Loads and stores of one lane. */
export const laneMemoryOpcodes: ReadonlyMap<string, Opcode & { readonly align: number }> = new Map(
  [8, 16, 32, 64].flatMap((bits, i) => [
    [`v128.load${bits}_lane`, { code: simd(84 + i), takes: ['i32', V], gives: [V], align: i }],
    [`v128.store${bits}_lane`, { code: simd(88 + i), takes: ['i32', V], gives: [], align: i }],
  ]) as [string, Opcode & { readonly align: number }][],
)
