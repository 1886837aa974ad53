// The vector instructions that kernels are made of, with their encodings: the map and the prefix that an opcode counts
// in, which width bit is set, how displacements of eight bits count.

export interface Form {
  /** 1: 0F, 2: 0F38, 3: 0F3A. */
  readonly map: 1 | 2 | 3
  /** 0: none, 1: 66, 2: F3, 3: F2. */
  readonly prefix: 0 | 1 | 2 | 3
  readonly opcode: number
  /** Where the bit for wide elements is set. */
  readonly wide?: 'vex' | 'evex' | 'both'
  /** What stands in place of a register where the opcode does not say all. */
  readonly extension?: number
  /** Bytes that a displacement of eight bits counts in; negative: a vector divided by so much; a vector unless said. */
  readonly unit?: number
  /** Writes its operand. */
  readonly stores?: true
  /** Where AVX2 and AVX-512 do not share an instruction. */
  readonly only?: 'vex' | 'evex'
}

const f = (
  map: Form['map'],
  prefix: Form['prefix'],
  opcode: number,
  more: Omit<Form, 'map' | 'prefix' | 'opcode'> = {},
): Form => ({
  map,
  prefix,
  opcode,
  ...more,
})
const wide = { wide: 'evex' } as const
const evex = { only: 'evex' } as const
const vex = { only: 'vex' } as const

const forms = {
  // Floats.
  vaddps: f(1, 0, 0x58),
  vaddpd: f(1, 1, 0x58, wide),
  vsubps: f(1, 0, 0x5c),
  vsubpd: f(1, 1, 0x5c, wide),
  vmulps: f(1, 0, 0x59),
  vmulpd: f(1, 1, 0x59, wide),
  vdivps: f(1, 0, 0x5e),
  vdivpd: f(1, 1, 0x5e, wide),
  vminps: f(1, 0, 0x5d),
  vminpd: f(1, 1, 0x5d, wide),
  vmaxps: f(1, 0, 0x5f),
  vmaxpd: f(1, 1, 0x5f, wide),
  vsqrtps: f(1, 0, 0x51),
  vsqrtpd: f(1, 1, 0x51, wide),
  vroundps: f(3, 1, 0x08, vex),
  vroundpd: f(3, 1, 0x09, vex),
  vrndscaleps: f(3, 1, 0x08, evex),
  vrndscalepd: f(3, 1, 0x09, { ...evex, ...wide }),
  vscalefps: f(2, 1, 0x2c, evex),
  vscalefpd: f(2, 1, 0x2c, { ...evex, ...wide }),
  vcmpps: f(1, 0, 0xc2),
  vcmppd: f(1, 1, 0xc2, wide),

  // Integers.
  vpaddb: f(1, 1, 0xfc),
  vpaddw: f(1, 1, 0xfd),
  vpaddd: f(1, 1, 0xfe),
  vpaddq: f(1, 1, 0xd4, wide),
  vpsubb: f(1, 1, 0xf8),
  vpsubw: f(1, 1, 0xf9),
  vpsubd: f(1, 1, 0xfa),
  vpsubq: f(1, 1, 0xfb, wide),
  vpmullw: f(1, 1, 0xd5),
  vpmulld: f(2, 1, 0x40),
  vpmullq: f(2, 1, 0x40, { ...evex, ...wide }),
  vpabsb: f(2, 1, 0x1c),
  vpabsw: f(2, 1, 0x1d),
  vpabsd: f(2, 1, 0x1e),
  vpabsq: f(2, 1, 0x1f, { ...evex, ...wide }),
  vpminsb: f(2, 1, 0x38),
  vpminsw: f(1, 1, 0xea),
  vpminsd: f(2, 1, 0x39),
  vpminsq: f(2, 1, 0x39, { ...evex, ...wide }),
  vpminub: f(1, 1, 0xda),
  vpminuw: f(2, 1, 0x3a),
  vpminud: f(2, 1, 0x3b),
  vpminuq: f(2, 1, 0x3b, { ...evex, ...wide }),
  vpmaxsb: f(2, 1, 0x3c),
  vpmaxsw: f(1, 1, 0xee),
  vpmaxsd: f(2, 1, 0x3d),
  vpmaxsq: f(2, 1, 0x3d, { ...evex, ...wide }),
  vpmaxub: f(1, 1, 0xde),
  vpmaxuw: f(2, 1, 0x3e),
  vpmaxud: f(2, 1, 0x3f),
  vpmaxuq: f(2, 1, 0x3f, { ...evex, ...wide }),
  vpcmpeqb: f(1, 1, 0x74, vex),
  vpcmpeqw: f(1, 1, 0x75, vex),
  vpcmpeqd: f(1, 1, 0x76, vex),
  vpcmpeqq: f(2, 1, 0x29, vex),
  vpcmpgtb: f(1, 1, 0x64, vex),
  vpcmpgtw: f(1, 1, 0x65, vex),
  vpcmpgtd: f(1, 1, 0x66, vex),
  vpcmpgtq: f(2, 1, 0x37, vex),
  vpcmpb: f(3, 1, 0x3f, evex),
  vpcmpub: f(3, 1, 0x3e, evex),
  vpcmpw: f(3, 1, 0x3f, { ...evex, ...wide }),
  vpcmpuw: f(3, 1, 0x3e, { ...evex, ...wide }),
  vpcmpd: f(3, 1, 0x1f, evex),
  vpcmpud: f(3, 1, 0x1e, evex),
  vpcmpq: f(3, 1, 0x1f, { ...evex, ...wide }),
  vpcmpuq: f(3, 1, 0x1e, { ...evex, ...wide }),
  vpsllw: f(1, 1, 0x71, { extension: 6 }),
  vpslld: f(1, 1, 0x72, { extension: 6 }),
  vpsllq: f(1, 1, 0x73, { extension: 6, ...wide }),
  vpsrlw: f(1, 1, 0x71, { extension: 2 }),
  vpsrld: f(1, 1, 0x72, { extension: 2 }),
  vpsrlq: f(1, 1, 0x73, { extension: 2, ...wide }),
  vpsraw: f(1, 1, 0x71, { extension: 4 }),
  vpsrad: f(1, 1, 0x72, { extension: 4 }),

  vpsraq: f(1, 1, 0x72, { ...evex, extension: 4, ...wide }),
  vpsrldq: f(1, 1, 0x73, { extension: 3 }),

  // Bits; masks of lanes.
  vpand: f(1, 1, 0xdb, vex),
  vpandn: f(1, 1, 0xdf, vex),
  vpor: f(1, 1, 0xeb, vex),
  vpxor: f(1, 1, 0xef, vex),
  vpblendvb: f(3, 1, 0x4c, vex),
  vpandd: f(1, 1, 0xdb, evex),
  vpandnd: f(1, 1, 0xdf, evex),
  vpord: f(1, 1, 0xeb, evex),
  vpxord: f(1, 1, 0xef, evex),
  vpternlogd: f(3, 1, 0x25, evex),
  vpmovm2b: f(2, 2, 0x28, evex),
  vpmovm2w: f(2, 2, 0x28, { ...evex, ...wide }),
  vpmovm2d: f(2, 2, 0x38, evex),
  vpmovm2q: f(2, 2, 0x38, { ...evex, ...wide }),

  // Conversions.
  vcvtps2pd: f(1, 0, 0x5a, { unit: -2 }),
  vcvtpd2ps: f(1, 1, 0x5a, wide),
  vcvtdq2ps: f(1, 0, 0x5b),
  vcvtdq2pd: f(1, 2, 0xe6, { unit: -2 }),
  vcvtudq2ps: f(1, 3, 0x7a, evex),
  vcvtudq2pd: f(1, 2, 0x7a, { ...evex, unit: -2 }),
  vcvttps2dq: f(1, 2, 0x5b),
  vcvttpd2dq: f(1, 1, 0xe6, wide),
  vcvtph2ps: f(2, 1, 0x13, { unit: -2 }),
  vcvtps2ph: f(3, 1, 0x1d, { unit: -2, stores: true }),
  vpmovsxbw: f(2, 1, 0x20, { unit: -2 }),
  vpmovsxbd: f(2, 1, 0x21, { unit: -4 }),
  vpmovsxbq: f(2, 1, 0x22, { unit: -8 }),
  vpmovsxwd: f(2, 1, 0x23, { unit: -2 }),
  vpmovsxwq: f(2, 1, 0x24, { unit: -4 }),
  vpmovsxdq: f(2, 1, 0x25, { unit: -2 }),
  vpmovzxbw: f(2, 1, 0x30, { unit: -2 }),
  vpmovzxbd: f(2, 1, 0x31, { unit: -4 }),
  vpmovzxbq: f(2, 1, 0x32, { unit: -8 }),
  vpmovzxwd: f(2, 1, 0x33, { unit: -2 }),
  vpmovzxwq: f(2, 1, 0x34, { unit: -4 }),
  vpmovzxdq: f(2, 1, 0x35, { unit: -2 }),
  vpmovwb: f(2, 2, 0x30, { ...evex, unit: -2, stores: true }),
  vpmovdb: f(2, 2, 0x31, { ...evex, unit: -4, stores: true }),
  vpmovqb: f(2, 2, 0x32, { ...evex, unit: -8, stores: true }),
  vpmovdw: f(2, 2, 0x33, { ...evex, unit: -2, stores: true }),
  vpmovqw: f(2, 2, 0x34, { ...evex, unit: -4, stores: true }),
  vpmovqd: f(2, 2, 0x35, { ...evex, unit: -2, stores: true }),
  vpacksswb: f(1, 1, 0x63),
  vpackssdw: f(1, 1, 0x6b),
  vpackuswb: f(1, 1, 0x67),
  vpackusdw: f(2, 1, 0x2b),
  vpermq: f(3, 1, 0x00, { wide: 'both' }),
  vpunpcklqdq: f(1, 1, 0x6c, wide),
  vpshufb: f(2, 1, 0x00),
  vpermd: f(2, 1, 0x36),
  vinserti128: f(3, 1, 0x38, { ...vex }),
  vextracti128: f(3, 1, 0x39, { ...vex, stores: true }),
  vinserti32x4: f(3, 1, 0x38, { ...evex, unit: 16 }),
  vextracti32x4: f(3, 1, 0x39, { ...evex, unit: 16, stores: true }),
  vinserti64x4: f(3, 1, 0x3a, { ...evex, wide: 'evex', unit: 32 }),
  vextracti64x4: f(3, 1, 0x3b, { ...evex, wide: 'evex', unit: 32, stores: true }),

  // Memory.
  vmovdqu: f(1, 2, 0x6f, vex),
  vmovdquStore: f(1, 2, 0x7f, { ...vex, stores: true }),
  vmovdqu8: f(1, 3, 0x6f, evex),
  vmovdqu16: f(1, 3, 0x6f, { ...evex, ...wide }),
  vmovdqu32: f(1, 2, 0x6f, evex),
  vmovdqu64: f(1, 2, 0x6f, { ...evex, ...wide }),
  vmovdqu8Store: f(1, 3, 0x7f, { ...evex, stores: true }),
  vmovdqu16Store: f(1, 3, 0x7f, { ...evex, ...wide, stores: true }),
  vmovdqu32Store: f(1, 2, 0x7f, { ...evex, stores: true }),
  vmovdqu64Store: f(1, 2, 0x7f, { ...evex, ...wide, stores: true }),
  vmovntdq: f(1, 1, 0xe7, { stores: true }),
  vmovd: f(1, 1, 0x6e, { unit: 4 }),
  vmovdStore: f(1, 1, 0x7e, { unit: 4, stores: true }),
  vmovq: f(1, 2, 0x7e, { ...vex, unit: 8 }),
  vmovqStore: f(1, 1, 0xd6, { ...vex, unit: 8, stores: true }),
  vmovqWide: f(1, 1, 0x6e, { ...evex, ...wide, unit: 8 }),
  vmovqWideStore: f(1, 1, 0x7e, { ...evex, ...wide, unit: 8, stores: true }),
  vpbroadcastb: f(2, 1, 0x78, { unit: 1 }),
  vpbroadcastw: f(2, 1, 0x79, { unit: 2 }),
  vpbroadcastd: f(2, 1, 0x58, { unit: 4 }),
  vpbroadcastq: f(2, 1, 0x59, { ...wide, unit: 8 }),

  // Single elements of 8 and 16 bits to memory.
  vpextrb: f(3, 1, 0x14, { unit: 1, stores: true }),
  vpextrw: f(3, 1, 0x15, { unit: 2, stores: true }),

  // What element-wise programs take beside: shifts by lane, products of words, conversions of wide integers, exact rests.
  vpmuludq: f(1, 1, 0xf4, wide),
  vpsllvw: f(2, 1, 0x12, { ...evex, ...wide }),
  vpsllvd: f(2, 1, 0x47),
  vpsllvq: f(2, 1, 0x47, { wide: 'both' }),
  vpsrlvw: f(2, 1, 0x10, { ...evex, ...wide }),
  vpsrlvd: f(2, 1, 0x45),
  vpsrlvq: f(2, 1, 0x45, { wide: 'both' }),
  vpsravw: f(2, 1, 0x11, { ...evex, ...wide }),
  vpsravd: f(2, 1, 0x46),
  vpsravq: f(2, 1, 0x46, { ...evex, ...wide }),
  vcvtqq2ps: f(1, 0, 0x5b, { ...evex, ...wide }),
  vcvtuqq2ps: f(1, 3, 0x7a, { ...evex, ...wide }),
  vcvtqq2pd: f(1, 2, 0xe6, { ...evex, ...wide }),
  vcvtuqq2pd: f(1, 2, 0x7a, { ...evex, ...wide }),
  vcvttps2udq: f(1, 0, 0x78, evex),
  vcvttpd2udq: f(1, 0, 0x78, { ...evex, ...wide }),
  vcvttpd2qq: f(1, 1, 0x7a, { ...evex, ...wide }),
  vcvttpd2uqq: f(1, 1, 0x78, { ...evex, ...wide }),
  vpmaskmovd: f(2, 1, 0x8c, vex),
  vpmaskmovq: f(2, 1, 0x8c, { ...vex, wide: 'vex' }),
  vfnmadd231pd: f(2, 1, 0xbc, { wide: 'both' }),

  // Blocks of a matrix turned over its diagonal, in registers of 32 bytes.
  vunpcklps: f(1, 0, 0x14, vex),
  vunpckhps: f(1, 0, 0x15, vex),
  vunpcklpd: f(1, 1, 0x14, vex),
  vunpckhpd: f(1, 1, 0x15, vex),
  vperm2f128: f(3, 1, 0x06, vex),
  vpermpd: f(3, 1, 0x01, { wide: 'vex', ...vex }),
  vshufps: f(1, 0, 0xc6, vex),
  vpshufd: f(1, 1, 0x70, vex),

  // Products of matrices: stores of what is left at their edges, blocks turned in registers.
  vpmaskmovdStore: f(2, 1, 0x8e, { ...vex, stores: true }),
  vpmaskmovqStore: f(2, 1, 0x8e, { ...vex, wide: 'vex', stores: true }),
  vpunpckldq: f(1, 1, 0x62),
  vpunpckhdq: f(1, 1, 0x6a),
  vpunpckhqdq: f(1, 1, 0x6d, wide),
  vshufi32x4: f(3, 1, 0x43, evex),
} satisfies Record<string, Form>

export type VectorName = keyof typeof forms

export const FORMS: Readonly<Record<VectorName, Form>> = forms
