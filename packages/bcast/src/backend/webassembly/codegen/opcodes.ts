// The WebAssembly instructions that kernels use. Codes from the core specification, version 2; those of two bytes have
// the prefix (0xfc, or 0xfd for SIMD) in the upper one. A code of its own is a constant under the specification's name,
// `i32x4_add` for i32x4.add, which bundlers write as a number; what is chosen by type or lanes stands in a table under
// the rest of that name, `add.i32x4`.

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128'
export type IntegerLanes = 'i8x16' | 'i16x8' | 'i32x4' | 'i64x2'
export type FloatLanes = 'f32x4' | 'f64x2'
export type Lanes = IntegerLanes | FloatLanes

type Codes<K extends ValueType | Lanes> = Readonly<Record<K, number>>

// Memory: whole values, and elements of so many bits.
export const i32_load = 0x28
export const v128_load = 0xfd00
export const i32_store = 0x36
export const v128_store = 0xfd0b

export const load_splat: Readonly<Record<number, number>> = { 8: 0xfd07, 16: 0xfd08, 32: 0xfd09, 64: 0xfd0a }
export const load_zero: Readonly<Record<number, number>> = { 32: 0xfd5c, 64: 0xfd5d }
export const load_lane: Readonly<Record<number, number>> = { 8: 0xfd54, 16: 0xfd55, 32: 0xfd56, 64: 0xfd57 }
export const store_lane: Readonly<Record<number, number>> = { 8: 0xfd58, 16: 0xfd59, 32: 0xfd5a, 64: 0xfd5b }

// Lanes.
export const i64x2_splat = 0xfd12
export const f32x4_splat = 0xfd13
export const f64x2_splat = 0xfd14
export const i64x2_extract_lane = 0xfd1d
export const f64x2_extract_lane = 0xfd21
export const i64x2_replace_lane = 0xfd1e
export const f32x4_replace_lane = 0xfd20
export const f64x2_replace_lane = 0xfd22

export const splat: Codes<Lanes> = {
  i8x16: 0xfd0f,
  i16x8: 0xfd10,
  i32x4: 0xfd11,
  i64x2: i64x2_splat,
  f32x4: f32x4_splat,
  f64x2: f64x2_splat,
}
export const extract_lane: Codes<'i32x4' | 'i64x2' | FloatLanes> = {
  i32x4: 0xfd1b,
  i64x2: i64x2_extract_lane,
  f32x4: 0xfd1f,
  f64x2: f64x2_extract_lane,
}
export const extract_lane_s: Codes<'i8x16' | 'i16x8'> = { i8x16: 0xfd15, i16x8: 0xfd18 }
export const extract_lane_u: Codes<'i8x16' | 'i16x8'> = { i8x16: 0xfd16, i16x8: 0xfd19 }
export const replace_lane: Codes<Lanes> = {
  i8x16: 0xfd17,
  i16x8: 0xfd1a,
  i32x4: 0xfd1c,
  i64x2: i64x2_replace_lane,
  f32x4: f32x4_replace_lane,
  f64x2: f64x2_replace_lane,
}

// Arithmetic.
export const i32_add = 0x6a
export const i32x4_add = 0xfdae
export const i64x2_add = 0xfdce
export const f32x4_add = 0xfde4
export const f64x2_add = 0xfdf0
export const i32_sub = 0x6b
export const i32x4_sub = 0xfdb1
export const f64x2_sub = 0xfdf1
export const i32_mul = 0x6c
export const i16x8_mul = 0xfd95
export const f32x4_mul = 0xfde6
export const i64x2_abs = 0xfdc0
export const f32x4_abs = 0xfde0
export const f64x2_abs = 0xfdec
export const i32x4_min_s = 0xfdb6
export const i16x8_min_u = 0xfd97
export const i32x4_min_u = 0xfdb7
export const i32x4_max_s = 0xfdb8

export const add: Codes<'i32' | 'i64' | Lanes> = {
  i32: i32_add,
  i64: 0x7c,
  i8x16: 0xfd6e,
  i16x8: 0xfd8e,
  i32x4: i32x4_add,
  i64x2: i64x2_add,
  f32x4: f32x4_add,
  f64x2: f64x2_add,
}
export const sub: Codes<'i32' | 'i64' | Lanes> = {
  i32: i32_sub,
  i64: 0x7d,
  i8x16: 0xfd71,
  i16x8: 0xfd91,
  i32x4: i32x4_sub,
  i64x2: 0xfdd1,
  f32x4: 0xfde5,
  f64x2: f64x2_sub,
}
export const mul: Codes<'i32' | 'i64' | 'i16x8' | 'i32x4' | 'i64x2' | FloatLanes> = {
  i32: i32_mul,
  i64: 0x7e,
  i16x8: i16x8_mul,
  i32x4: 0xfdb5,
  i64x2: 0xfdd5,
  f32x4: f32x4_mul,
  f64x2: 0xfdf2,
}
export const div: Codes<FloatLanes> = { f32x4: 0xfde7, f64x2: 0xfdf3 }
export const div_s: Codes<'i32' | 'i64'> = { i32: 0x6d, i64: 0x7f }
export const div_u: Codes<'i32' | 'i64'> = { i32: 0x6e, i64: 0x80 }
export const rem_s: Codes<'i32' | 'i64'> = { i32: 0x6f, i64: 0x81 }
export const rem_u: Codes<'i32' | 'i64'> = { i32: 0x70, i64: 0x82 }
export const neg: Codes<Lanes> = {
  i8x16: 0xfd61,
  i16x8: 0xfd81,
  i32x4: 0xfda1,
  i64x2: 0xfdc1,
  f32x4: 0xfde1,
  f64x2: 0xfded,
}
export const abs: Codes<Lanes> = {
  i8x16: 0xfd60,
  i16x8: 0xfd80,
  i32x4: 0xfda0,
  i64x2: i64x2_abs,
  f32x4: f32x4_abs,
  f64x2: f64x2_abs,
}
export const sqrt: Codes<FloatLanes> = { f32x4: 0xfde3, f64x2: 0xfdef }
export const ceil: Codes<FloatLanes> = { f32x4: 0xfd67, f64x2: 0xfd74 }
export const floor: Codes<FloatLanes> = { f32x4: 0xfd68, f64x2: 0xfd75 }
export const nearest: Codes<FloatLanes> = { f32x4: 0xfd6a, f64x2: 0xfd94 }
export const pmin: Codes<FloatLanes> = { f32x4: 0xfdea, f64x2: 0xfdf6 }
export const pmax: Codes<FloatLanes> = { f32x4: 0xfdeb, f64x2: 0xfdf7 }
export const min_s: Codes<'i8x16' | 'i16x8' | 'i32x4'> = { i8x16: 0xfd76, i16x8: 0xfd96, i32x4: i32x4_min_s }
export const min_u: Codes<'i8x16' | 'i16x8' | 'i32x4'> = { i8x16: 0xfd77, i16x8: i16x8_min_u, i32x4: i32x4_min_u }
export const max_s: Codes<'i8x16' | 'i16x8' | 'i32x4'> = { i8x16: 0xfd78, i16x8: 0xfd98, i32x4: i32x4_max_s }
export const max_u: Codes<'i8x16' | 'i16x8' | 'i32x4'> = { i8x16: 0xfd79, i16x8: 0xfd99, i32x4: 0xfdb9 }

// Bits.
export const i32_and = 0x71
export const v128_and = 0xfd4e
export const i32_or = 0x72
export const v128_or = 0xfd50
export const v128_xor = 0xfd51
export const v128_not = 0xfd4d
export const v128_andnot = 0xfd4f
export const v128_bitselect = 0xfd52
export const i32x4_shl = 0xfdab
export const i64x2_shl = 0xfdcb
export const i32x4_shr_u = 0xfdad
export const i64x2_shr_u = 0xfdcd

export const and: Codes<'i32' | 'i64' | 'v128'> = { i32: i32_and, i64: 0x83, v128: v128_and }
export const xor: Codes<'i32' | 'i64' | 'v128'> = { i32: 0x73, i64: 0x85, v128: v128_xor }
export const shl: Codes<'i32' | 'i64' | IntegerLanes> = {
  i32: 0x74,
  i64: 0x86,
  i8x16: 0xfd6b,
  i16x8: 0xfd8b,
  i32x4: i32x4_shl,
  i64x2: i64x2_shl,
}
export const shr_s: Codes<'i32' | 'i64' | IntegerLanes> = {
  i32: 0x75,
  i64: 0x87,
  i8x16: 0xfd6c,
  i16x8: 0xfd8c,
  i32x4: 0xfdac,
  i64x2: 0xfdcc,
}
export const shr_u: Codes<'i32' | 'i64' | IntegerLanes> = {
  i32: 0x76,
  i64: 0x88,
  i8x16: 0xfd6d,
  i16x8: 0xfd8d,
  i32x4: i32x4_shr_u,
  i64x2: i64x2_shr_u,
}

// Comparisons.
export const i32_eqz = 0x45
export const i32_eq = 0x46
export const f32x4_eq = 0xfd41
export const f64x2_eq = 0xfd47
export const i64x2_eq = 0xfdd6
export const i32_ne = 0x47
export const i8x16_ne = 0xfd24
export const f32x4_ne = 0xfd42
export const f64x2_ne = 0xfd48
export const i64x2_ne = 0xfdd7
export const f64x2_gt = 0xfd4a
export const f32x4_ge = 0xfd46
export const i32_lt_s = 0x48
export const i32x4_lt_s = 0xfd39
export const i64x2_lt_s = 0xfdd8
export const i32_gt_s = 0x4a
export const i32_ge_s = 0x4e
export const i64x2_ge_s = 0xfddb

export const eqz: Codes<'i32' | 'i64'> = { i32: i32_eqz, i64: 0x50 }
export const eq: Codes<'i32' | 'i64' | Lanes> = {
  i32: i32_eq,
  i64: 0x51,
  i8x16: 0xfd23,
  i16x8: 0xfd2d,
  i32x4: 0xfd37,
  f32x4: f32x4_eq,
  f64x2: f64x2_eq,
  i64x2: i64x2_eq,
}
export const ne: Codes<'i32' | 'i64' | Lanes> = {
  i32: i32_ne,
  i64: 0x52,
  i8x16: i8x16_ne,
  i16x8: 0xfd2e,
  i32x4: 0xfd38,
  f32x4: f32x4_ne,
  f64x2: f64x2_ne,
  i64x2: i64x2_ne,
}
export const lt: Codes<FloatLanes> = { f32x4: 0xfd43, f64x2: 0xfd49 }
export const gt: Codes<FloatLanes> = { f32x4: 0xfd44, f64x2: f64x2_gt }
export const le: Codes<FloatLanes> = { f32x4: 0xfd45, f64x2: 0xfd4b }
export const lt_s: Codes<'i32' | 'i64' | IntegerLanes> = {
  i32: i32_lt_s,
  i64: 0x53,
  i8x16: 0xfd25,
  i16x8: 0xfd2f,
  i32x4: i32x4_lt_s,
  i64x2: i64x2_lt_s,
}
export const lt_u: Codes<'i32' | 'i64' | 'i8x16' | 'i16x8' | 'i32x4'> = {
  i32: 0x49,
  i64: 0x54,
  i8x16: 0xfd26,
  i16x8: 0xfd30,
  i32x4: 0xfd3a,
}
export const gt_s: Codes<'i32' | 'i64' | IntegerLanes> = {
  i32: i32_gt_s,
  i64: 0x55,
  i8x16: 0xfd27,
  i16x8: 0xfd31,
  i32x4: 0xfd3b,
  i64x2: 0xfdd9,
}
export const le_s: Codes<'i32' | 'i64' | IntegerLanes> = {
  i32: 0x4c,
  i64: 0x57,
  i8x16: 0xfd29,
  i16x8: 0xfd33,
  i32x4: 0xfd3d,
  i64x2: 0xfdda,
}
export const le_u: Codes<'i32' | 'i64' | 'i8x16' | 'i16x8' | 'i32x4'> = {
  i32: 0x4d,
  i64: 0x58,
  i8x16: 0xfd2a,
  i16x8: 0xfd34,
  i32x4: 0xfd3e,
}

// Conversions. Extensions are named by what they make: `extend_low_s.i16x8` is i16x8.extend_low_i8x16_s.
export const i32_wrap_i64 = 0xa7
export const i64_extend_i32_s = 0xac
export const f32_demote_f64 = 0xb6
export const f64_promote_f32 = 0xbb
export const f32x4_demote_f64x2_zero = 0xfd5e
export const f64x2_promote_low_f32x4 = 0xfd5f
export const i8x16_narrow_i16x8_s = 0xfd65
export const i16x8_narrow_i32x4_s = 0xfd85
export const i16x8_narrow_i32x4_u = 0xfd86

export const convert_i64_s: Codes<'f32' | 'f64'> = { f32: 0xb4, f64: 0xb9 }
export const convert_i64_u: Codes<'f32' | 'f64'> = { f32: 0xb5, f64: 0xba }
export const trunc_sat_f64_s: Codes<'i64'> = { i64: 0xfc06 }
export const trunc_sat_f64_u: Codes<'i64'> = { i64: 0xfc07 }
export const extend_low_s: Codes<'i16x8' | 'i32x4' | 'i64x2'> = { i16x8: 0xfd87, i32x4: 0xfda7, i64x2: 0xfdc7 }
export const extend_high_s: Codes<'i16x8' | 'i32x4' | 'i64x2'> = { i16x8: 0xfd88, i32x4: 0xfda8, i64x2: 0xfdc8 }
export const extend_low_u: Codes<'i16x8' | 'i32x4' | 'i64x2'> = { i16x8: 0xfd89, i32x4: 0xfda9, i64x2: 0xfdc9 }
export const extend_high_u: Codes<'i16x8' | 'i32x4' | 'i64x2'> = { i16x8: 0xfd8a, i32x4: 0xfdaa, i64x2: 0xfdca }
export const trunc_sat_f32x4_s: Codes<'i32x4'> = { i32x4: 0xfdf8 }
export const trunc_sat_f32x4_u: Codes<'i32x4'> = { i32x4: 0xfdf9 }
export const convert_i32x4_s: Codes<'f32x4'> = { f32x4: 0xfdfa }
export const convert_i32x4_u: Codes<'f32x4'> = { f32x4: 0xfdfb }
export const trunc_sat_f64x2_s_zero: Codes<'i32x4'> = { i32x4: 0xfdfc }
export const trunc_sat_f64x2_u_zero: Codes<'i32x4'> = { i32x4: 0xfdfd }
export const convert_low_i32x4_s: Codes<'f64x2'> = { f64x2: 0xfdfe }
export const convert_low_i32x4_u: Codes<'f64x2'> = { f64x2: 0xfdff }
