// The WebAssembly instructions that kernels use, by name and by the type or the lanes they work on: `add.i32x4` is
// i32x4.add. Codes from the core specification, version 2; those of two bytes have the prefix (0xfc, or 0xfd for SIMD)
// in the upper one. Each name is a constant of its own, so that a program holds the codes it uses.

export type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128'
export type IntegerLanes = 'i8x16' | 'i16x8' | 'i32x4' | 'i64x2'
export type FloatLanes = 'f32x4' | 'f64x2'
export type Lanes = IntegerLanes | FloatLanes

// Memory: whole values, and elements of so many bits.
export const load = { i32: 0x28, v128: 0xfd00 }
export const store = { i32: 0x36, v128: 0xfd0b }
export const load_splat: Readonly<Record<number, number>> = { 8: 0xfd07, 16: 0xfd08, 32: 0xfd09, 64: 0xfd0a }
export const load_zero: Readonly<Record<number, number>> = { 32: 0xfd5c, 64: 0xfd5d }
export const load_lane: Readonly<Record<number, number>> = { 8: 0xfd54, 16: 0xfd55, 32: 0xfd56, 64: 0xfd57 }
export const store_lane: Readonly<Record<number, number>> = { 8: 0xfd58, 16: 0xfd59, 32: 0xfd5a, 64: 0xfd5b }

// Lanes.
export const splat = { i8x16: 0xfd0f, i16x8: 0xfd10, i32x4: 0xfd11, i64x2: 0xfd12, f32x4: 0xfd13, f64x2: 0xfd14 }
export const extract_lane = { i32x4: 0xfd1b, i64x2: 0xfd1d, f32x4: 0xfd1f, f64x2: 0xfd21 }
export const extract_lane_s = { i8x16: 0xfd15, i16x8: 0xfd18 }
export const extract_lane_u = { i8x16: 0xfd16, i16x8: 0xfd19 }
export const replace_lane = { i8x16: 0xfd17, i16x8: 0xfd1a, i32x4: 0xfd1c, i64x2: 0xfd1e, f32x4: 0xfd20, f64x2: 0xfd22 }

// Arithmetic.
export const add = {
  i32: 0x6a,
  i64: 0x7c,
  i8x16: 0xfd6e,
  i16x8: 0xfd8e,
  i32x4: 0xfdae,
  i64x2: 0xfdce,
  f32x4: 0xfde4,
  f64x2: 0xfdf0,
}
export const sub = {
  i32: 0x6b,
  i64: 0x7d,
  i8x16: 0xfd71,
  i16x8: 0xfd91,
  i32x4: 0xfdb1,
  i64x2: 0xfdd1,
  f32x4: 0xfde5,
  f64x2: 0xfdf1,
}
export const mul = {
  i32: 0x6c,
  i64: 0x7e,
  i16x8: 0xfd95,
  i32x4: 0xfdb5,
  i64x2: 0xfdd5,
  f32x4: 0xfde6,
  f64x2: 0xfdf2,
}
export const div = { f32x4: 0xfde7, f64x2: 0xfdf3 }
export const div_s = { i32: 0x6d, i64: 0x7f }
export const div_u = { i32: 0x6e, i64: 0x80 }
export const rem_s = { i32: 0x6f, i64: 0x81 }
export const rem_u = { i32: 0x70, i64: 0x82 }
export const neg = { i8x16: 0xfd61, i16x8: 0xfd81, i32x4: 0xfda1, i64x2: 0xfdc1, f32x4: 0xfde1, f64x2: 0xfded }
export const abs = { i8x16: 0xfd60, i16x8: 0xfd80, i32x4: 0xfda0, i64x2: 0xfdc0, f32x4: 0xfde0, f64x2: 0xfdec }
export const sqrt = { f32x4: 0xfde3, f64x2: 0xfdef }
export const ceil = { f32x4: 0xfd67, f64x2: 0xfd74 }
export const floor = { f32x4: 0xfd68, f64x2: 0xfd75 }
export const nearest = { f32x4: 0xfd6a, f64x2: 0xfd94 }
export const pmin = { f32x4: 0xfdea, f64x2: 0xfdf6 }
export const pmax = { f32x4: 0xfdeb, f64x2: 0xfdf7 }
export const min_s = { i8x16: 0xfd76, i16x8: 0xfd96, i32x4: 0xfdb6 }
export const min_u = { i8x16: 0xfd77, i16x8: 0xfd97, i32x4: 0xfdb7 }
export const max_s = { i8x16: 0xfd78, i16x8: 0xfd98, i32x4: 0xfdb8 }
export const max_u = { i8x16: 0xfd79, i16x8: 0xfd99, i32x4: 0xfdb9 }

// Bits.
export const and = { i32: 0x71, i64: 0x83, v128: 0xfd4e }
export const or = { i32: 0x72, i64: 0x84, v128: 0xfd50 }
export const xor = { i32: 0x73, i64: 0x85, v128: 0xfd51 }
export const not = { v128: 0xfd4d }
export const andnot = { v128: 0xfd4f }
export const bitselect = { v128: 0xfd52 }
export const shl = { i32: 0x74, i64: 0x86, i8x16: 0xfd6b, i16x8: 0xfd8b, i32x4: 0xfdab, i64x2: 0xfdcb }
export const shr_s = { i32: 0x75, i64: 0x87, i8x16: 0xfd6c, i16x8: 0xfd8c, i32x4: 0xfdac, i64x2: 0xfdcc }
export const shr_u = { i32: 0x76, i64: 0x88, i8x16: 0xfd6d, i16x8: 0xfd8d, i32x4: 0xfdad, i64x2: 0xfdcd }

// Comparisons.
export const eqz = { i32: 0x45, i64: 0x50 }
export const eq = {
  i32: 0x46,
  i64: 0x51,
  i8x16: 0xfd23,
  i16x8: 0xfd2d,
  i32x4: 0xfd37,
  f32x4: 0xfd41,
  f64x2: 0xfd47,
  i64x2: 0xfdd6,
}
export const ne = {
  i32: 0x47,
  i64: 0x52,
  i8x16: 0xfd24,
  i16x8: 0xfd2e,
  i32x4: 0xfd38,
  f32x4: 0xfd42,
  f64x2: 0xfd48,
  i64x2: 0xfdd7,
}
export const lt = { f32x4: 0xfd43, f64x2: 0xfd49 }
export const gt = { f32x4: 0xfd44, f64x2: 0xfd4a }
export const le = { f32x4: 0xfd45, f64x2: 0xfd4b }
export const ge = { f32x4: 0xfd46, f64x2: 0xfd4c }
export const lt_s = { i32: 0x48, i64: 0x53, i8x16: 0xfd25, i16x8: 0xfd2f, i32x4: 0xfd39, i64x2: 0xfdd8 }
export const lt_u = { i32: 0x49, i64: 0x54, i8x16: 0xfd26, i16x8: 0xfd30, i32x4: 0xfd3a }
export const gt_s = { i32: 0x4a, i64: 0x55, i8x16: 0xfd27, i16x8: 0xfd31, i32x4: 0xfd3b, i64x2: 0xfdd9 }
export const le_s = { i32: 0x4c, i64: 0x57, i8x16: 0xfd29, i16x8: 0xfd33, i32x4: 0xfd3d, i64x2: 0xfdda }
export const le_u = { i32: 0x4d, i64: 0x58, i8x16: 0xfd2a, i16x8: 0xfd34, i32x4: 0xfd3e }
export const ge_s = { i32: 0x4e, i64: 0x59, i8x16: 0xfd2b, i16x8: 0xfd35, i32x4: 0xfd3f, i64x2: 0xfddb }

// Conversions. Extensions are named by what they make: `extend_low_s.i16x8` is i16x8.extend_low_i8x16_s.
export const wrap_i64 = { i32: 0xa7 }
export const extend_i32_s = { i64: 0xac }
export const demote_f64 = { f32: 0xb6 }
export const convert_i64_s = { f32: 0xb4, f64: 0xb9 }
export const convert_i64_u = { f32: 0xb5, f64: 0xba }
export const promote_f32 = { f64: 0xbb }
export const trunc_sat_f64_s = { i64: 0xfc06 }
export const trunc_sat_f64_u = { i64: 0xfc07 }
export const demote_f64x2_zero = { f32x4: 0xfd5e }
export const promote_low_f32x4 = { f64x2: 0xfd5f }
export const extend_low_s = { i16x8: 0xfd87, i32x4: 0xfda7, i64x2: 0xfdc7 }
export const extend_high_s = { i16x8: 0xfd88, i32x4: 0xfda8, i64x2: 0xfdc8 }
export const extend_low_u = { i16x8: 0xfd89, i32x4: 0xfda9, i64x2: 0xfdc9 }
export const extend_high_u = { i16x8: 0xfd8a, i32x4: 0xfdaa, i64x2: 0xfdca }
export const trunc_sat_f32x4_s = { i32x4: 0xfdf8 }
export const trunc_sat_f32x4_u = { i32x4: 0xfdf9 }
export const convert_i32x4_s = { f32x4: 0xfdfa }
export const convert_i32x4_u = { f32x4: 0xfdfb }
export const trunc_sat_f64x2_s_zero = { i32x4: 0xfdfc }
export const trunc_sat_f64x2_u_zero = { i32x4: 0xfdfd }
export const convert_low_i32x4_s = { f64x2: 0xfdfe }
export const convert_low_i32x4_u = { f64x2: 0xfdff }
export const narrow_i16x8_s = { i8x16: 0xfd65 }
export const narrow_i32x4_s = { i16x8: 0xfd85 }
export const narrow_i32x4_u = { i16x8: 0xfd86 }
