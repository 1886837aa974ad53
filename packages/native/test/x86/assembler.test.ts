// Every instruction that kernels use has the bytes that GNU as gives it, over registers and places of every kind.
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { Assembler, type Operand, type Prefix } from '../../src/x86/assembler.ts'
import { FORMS, type VectorName } from '../../src/x86/forms.ts'
import type { Bits, Memory } from '../../src/x86/registers.ts'
import { assembled, hasGnuAs } from './gnu-as.ts'

const WIDE = ['rax', 'rcx', 'rdx', 'rbx', 'rsp', 'rbp', 'rsi', 'rdi']
const NARROW = ['eax', 'ecx', 'edx', 'ebx', 'esp', 'ebp', 'esi', 'edi']
const SHORT = ['ax', 'cx', 'dx', 'bx', 'sp', 'bp', 'si', 'di']
const BYTE = ['al', 'cl', 'dl', 'bl', 'spl', 'bpl', 'sil', 'dil']
const wide = (r: number): string => WIDE[r] ?? `r${r}`
const narrow = (r: number): string => NARROW[r] ?? `r${r}d`
const vector = (r: number, bits: number): string => `${{ 128: 'x', 256: 'y', 512: 'z' }[Math.max(128, bits)]}mm${r}`
const place = ({ base, index, scale = 1, displacement = 0 }: Memory): string =>
  `[${wide(base)}${index === undefined ? '' : `+${wide(index)}*${scale}`}${displacement < 0 ? displacement : `+${displacement}`}]`

const PLACES: readonly Memory[] = [
  { base: 7 },
  { base: 5, displacement: 64 },
  { base: 13 },
  { base: 4, displacement: 192 },
  { base: 12, displacement: -128 },
  { base: 3, index: 1, scale: 4 },
  { base: 13, index: 9, scale: 8, displacement: 32 },
  { base: 8, index: 12, scale: 2, displacement: 4096 },
  { base: 6, index: 1, scale: 1, displacement: 20 },
]

interface Case {
  readonly text: string
  readonly hex: string
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The code alone; what pads it for literals goes. */
function coded(prefix: Prefix, text: string, write: (asm: Assembler) => unknown): Case {
  const asm = new Assembler(prefix)
  write(asm)
  const { length } = asm
  return { text, hex: hexOf(asm.finish().subarray(0, length)) }
}

function expectSame(cases: readonly Case[]): void {
  const judged = assembled(cases.map(({ text }) => text))
  const wrong = cases.flatMap(({ text, hex }, i) =>
    hex === judged[i] ? [] : [`${text}: ${hex}, ${judged[i]} is right`],
  )
  expect(wrong).toEqual([])
}

/** Instructions whose operand is narrower or wider than the vector they are named by. */
const isShort = (name: string): boolean => /^v(cvtpd2ps|cvttpd2u?dq|cvtu?qq2ps)$/.test(name)
const masksOf = (name: string): boolean => /^v(cmpp|pcmpu?[bwdq]$)/.test(name)

/** One instruction as text and as bytes. */
function caseOf(
  name: VectorName,
  prefix: Prefix,
  bits: Bits,
  [to, from, operand]: readonly [number, number, Operand],
  mask?: number,
): Case {
  const form = FORMS[name]
  const mnemonic = name.replace(/(Wide)?(Store)?$/, '')
  const unit = form.unit ?? -1
  const other = unit < 0 ? bits / -unit : name.startsWith('vinserti') || name.startsWith('vextracti') ? unit * 8 : 128
  const takesThree =
    /^v(add|sub|mul|div|min|max|scalef|cmp|padd|psub|pmull|pmin|pmax|pcmp|pmulu|psllv|psrlv|psrav|fnmadd|unpck|perm2|shufps|shufi|pmaskmov|pand|por|pxor|pternlog|pack|punpck|pshufb|permd|pblendvb|inserti)/.test(
      name,
    )
  const takesByte =
    /^v(round|rndscale|cmp|pcmpu?[bwdq]$|psll[^v]|psrl[^v]|psra[^v]|perm2|shufps|shufi|pshufd|permpd|pternlog|permq|inserti|extracti|pextr|cvtps2ph|pblendvb)/.test(
      name,
    )
  const suffix = mask === undefined ? '' : form.stores ? `{k${mask}}` : `{k${mask}}{z}`
  const isMask = name.startsWith('vpmovm2')
  const last =
    typeof operand !== 'number'
      ? place(operand as Memory)
      : isMask
        ? `k${operand & 7}`
        : name === 'vmovd' || name === 'vmovdStore'
          ? narrow(operand & 15)
          : vector(operand, name.endsWith('i128') ? 128 : other)
  const first = prefix === 'evex' && masksOf(name) ? `k${to & 7}` : vector(to, isShort(name) ? bits / 2 : bits)
  const own = isMask || (prefix === 'evex' && masksOf(name)) || name.startsWith('vmovd') ? 7 : 31
  const byte = name === 'vpblendvb' ? `ymm${5}` : takesByte ? '3' : ''
  const listed = form.stores
    ? [`${last}${suffix}`, ...(takesThree ? [vector(from, bits)] : []), first]
    : [`${first}${suffix}`, ...(takesThree ? [vector(from, bits)] : []), last]
  // Of several encodings, the one that is meant.
  const meant = `{${prefix}}${/^vmov/.test(name) && typeof operand === 'number' ? (form.stores ? ' {store}' : ' {load}') : ''}`
  const text = `${meant} ${mnemonic} ${[...listed, ...(byte === '' ? [] : [byte])].join(', ')}`
  const sized =
    isShort(name) && typeof operand !== 'number'
      ? text.replace('[', `${{ 128: 'x', 256: 'y', 512: 'z' }[bits]}mmword ptr [`)
      : text
  const given =
    typeof operand !== 'number'
      ? operand
      : isMask
        ? operand & 7
        : name.startsWith('vmovd') && !/vmovdq/.test(name)
          ? operand & 15
          : operand
  return coded(prefix, sized, (asm) =>
    asm.vector(name, {
      bits,
      to: prefix === 'evex' && masksOf(name) ? to & own : to,
      ...(takesThree ? { from } : {}),
      operand: given,
      ...(takesByte ? { immediate: name === 'vpblendvb' ? 5 << 4 : 3 } : {}),
      ...(mask === undefined ? {} : { mask }),
    }),
  )
}

/** Names without a form over registers, or over memory, or with vectors of one length alone. */
const onlyMemory = (name: string): boolean => /^v(movntdq|movqWide|pmaskmov|pextr)/.test(name)
const onlyRegisters = (name: string): boolean => /^v(pmovm2|ps[lr][la]d?[wdq]$)/.test(name)
function lengthsOf(name: VectorName, prefix: Prefix): readonly Bits[] {
  if (/^v(mov[dq](Wide)?(Store)?|pextr.)$/.test(name)) return [128]
  if (name.endsWith('i128') || name === 'vpblendvb' || name === 'vperm2f128') return [256]
  if (name.endsWith('i64x4')) return [512]
  if (name.endsWith('i32x4')) return [256, 512]
  if (/^vperm(q|d|pd)$/.test(name)) return prefix === 'evex' ? [256, 512] : [256]
  return prefix === 'evex' ? [128, 256, 512] : [128, 256]
}

describe('vector instructions', needs('gnu-as', hasGnuAs), () => {
  for (const prefix of ['vex', 'evex'] as const) {
    const most = prefix === 'vex' ? 15 : 31
    const names = (Object.keys(FORMS) as VectorName[]).filter((name) => (FORMS[name].only ?? prefix) === prefix)
    it(`${prefix}: ${names.length} of them`, () => {
      const cases = names.flatMap((name) =>
        lengthsOf(name, prefix).flatMap((bits) => {
          const registers = onlyMemory(name)
            ? []
            : [
                [0, 1, 2],
                [9, 10, 11],
                [most, most - 1, most - 2],
                [3, most, 8],
                [8, 2, most],
              ]
          const places = onlyRegisters(name)
            ? []
            : PLACES.map((at, i) => [(i * 5 + 1) & most, (i * 3 + 2) & most, at] as const)
          return [...registers, ...places].map((each) => caseOf(name, prefix, bits, each as [number, number, Operand]))
        }),
      )
      expectSame(cases)
    })
  }

  it('with masks', () => {
    const names: VectorName[] = [
      'vmovdqu8',
      'vmovdqu16',
      'vmovdqu32',
      'vmovdqu64',
      'vmovdqu8Store',
      'vmovdqu16Store',
      'vmovdqu32Store',
      'vmovdqu64Store',
    ]
    expectSame(names.flatMap((name) => PLACES.map((at, i) => caseOf(name, 'evex', 512, [i * 3, 0, at], (i % 7) + 1))))
  })
})

describe('general instructions', needs('gnu-as', hasGnuAs), () => {
  const registers = [0, 1, 2, 3, 5, 6, 7, 8, 9, 12, 13, 15]

  it('have the bytes of GNU as', () => {
    const cases: Case[] = []
    const add = (text: string, write: (asm: Assembler) => unknown): void => void cases.push(coded('vex', text, write))
    for (const r of registers) {
      const s = 15 - r === 4 ? 3 : 15 - r
      add(`push ${wide(r)}`, (asm) => asm.push(r))
      add(`pop ${wide(r)}`, (asm) => asm.pop(r))
      add(`movabs ${wide(r)}, 0x123456789abcdef0`, (asm) => asm.constant(r, 0x123456789abcdef0n))
      add(`mov ${narrow(r)}, 1000`, (asm) => asm.number(r, 1000))
      add(`neg ${wide(r)}`, (asm) => asm.negate(r))
      add(`shr ${wide(r)}, 3`, (asm) => asm.shiftRight(r, 3))
      add(`shr ${wide(r)}, 1`, (asm) => asm.shiftRight(r, 1))
      add(`and ${wide(r)}, 63`, (asm) => asm.andConstant(r, 63))
      add(`cmp ${wide(r)}, 4096`, (asm) => asm.compareConstant(r, 4096))
      add(`sub ${wide(r)}, 16`, (asm) => asm.subtractConstant(r, 16))
      add(`add ${wide(r)}, 400`, (asm) => asm.addConstant(r, 400))
      add(`imul ${wide(r)}, ${wide(s)}, 400`, (asm) => asm.times(r, s, 400))
      add(`cmovl ${wide(r)}, ${wide(s)}`, (asm) => asm.moveIf('less', r, s))
      add(`cmovg ${wide(r)}, ${wide(s)}`, (asm) => asm.moveIf('greater', r, s))
      add(`bzhi ${wide(r)}, ${wide(s)}, ${wide(r)}`, (asm) => asm.lowBits(r, s, r))
      add(`kmovq k${(r % 7) + 1}, ${wide(r)}`, (asm) => asm.mask((r % 7) + 1, r))
      add(`kshiftrq k${(r % 7) + 1}, k1, 16`, (asm) => asm.shiftMask((r % 7) + 1, 1, 16))
      add(`test ${wide(r)}, ${wide(s)}`, (asm) => asm.test(r, s))
      add(`test ${wide(r)}, 1024`, (asm) => asm.testConstant(r, 1024))
      add(`imul ${wide(r)}, ${wide(s)}`, (asm) => asm.multiply(r, s))
      add(`cmovb ${wide(r)}, ${wide(s)}`, (asm) => asm.moveIf('below', r, s))
      add(`bzhi ${wide(r)}, ${wide(r)}, ${wide(s)}`, (asm) => asm.lowBits(r, r, s))
      for (const at of PLACES) {
        add(`or ${wide(r)}, ${place(at)}`, (asm) => asm.or(r, at))
        add(`imul ${wide(r)}, ${place(at)}, 400`, (asm) => asm.times(r, at, 400))
        add(`movzx ${narrow(r)}, byte ptr ${place(at)}`, (asm) => asm.moveElement(1, r, at))
        add(`movzx ${narrow(r)}, word ptr ${place(at)}`, (asm) => asm.moveElement(2, r, at))
        add(`mov ${narrow(r)}, dword ptr ${place(at)}`, (asm) => asm.moveElement(4, r, at))
        add(`mov ${wide(r)}, qword ptr ${place(at)}`, (asm) => asm.moveElement(8, r, at))
        add(`mov byte ptr ${place(at)}, ${BYTE[r] ?? `r${r}b`}`, (asm) => asm.storeElement(1, at, r))
        add(`mov word ptr ${place(at)}, ${SHORT[r] ?? `r${r}w`}`, (asm) => asm.storeElement(2, at, r))
        add(`mov dword ptr ${place(at)}, ${narrow(r)}`, (asm) => asm.storeElement(4, at, r))
        add(`mov qword ptr ${place(at)}, ${wide(r)}`, (asm) => asm.storeElement(8, at, r))
        add(`mov ${wide(r)}, ${place(at)}`, (asm) => asm.move(r, at))
        add(`mov ${narrow(r)}, ${place(at)}`, (asm) => asm.moveWord(r, at))
        add(`movsxd ${wide(r)}, dword ptr ${place(at)}`, (asm) => asm.moveSigned(r, at))
        add(`mov ${place(at)}, ${wide(r)}`, (asm) => asm.store(at, r))
        add(`mov ${place(at)}, ${narrow(r)}`, (asm) => asm.storeWord(at, r))
        add(`lea ${wide(r)}, ${place(at)}`, (asm) => asm.address(r, at))
        add(`add ${wide(r)}, ${place(at)}`, (asm) => asm.add(r, at))
        add(`add ${place(at)}, ${wide(r)}`, (asm) => asm.addTo(at, r))
        add(`sub ${wide(r)}, ${place(at)}`, (asm) => asm.subtract(r, at))
        add(`cmp ${wide(r)}, ${place(at)}`, (asm) => asm.compare(r, at))
        add(`xchg ${place(at)}, ${wide(r)}`, (asm) => asm.exchange(at, r))
        add(`lock xadd ${place(at)}, ${wide(r)}`, (asm) => asm.exchangeAdd(at, r))
        add(`lock cmpxchg ${place(at)}, ${wide(r)}`, (asm) => asm.compareExchange(at, r))
        add(`imul ${wide(r)}, ${place(at)}`, (asm) => asm.multiply(r, at))
        add(`or ${wide(r)}, ${place(at)}`, (asm) => asm.or(r, at))
        add(`sub qword ptr ${place(at)}, 1`, (asm) => asm.subtractConstant(at, 1))
      }
    }
    for (const at of PLACES) {
      add(`div qword ptr ${place(at)}`, (asm) => asm.divideUnsigned(at))
      add(`idiv qword ptr ${place(at)}`, (asm) => asm.divideSigned(at))
      add(`fld qword ptr ${place(at)}`, (asm) => asm.pushFloat(at))
      add(`fstp qword ptr ${place(at)}`, (asm) => asm.popFloat(at))
      add(`prefetcht0 byte ptr ${place(at)}`, (asm) => asm.prefetch(at))
      add(`call qword ptr ${place(at)}`, (asm) => asm.call(at))
    }
    add('cqo', (asm) => asm.spreadSign())
    add('fstp st(0)', (asm) => asm.dropFloat())
    add('fprem; fnstsw ax', (asm) => asm.partialRest())
    add('sub rsp, 0x12340', (asm) => asm.reserve(4)(0x12340))
    add('pause', (asm) => asm.pause())
    add('syscall', (asm) => asm.system())
    add('rep movsb', (asm) => asm.copyBytes())
    add('sfence', (asm) => asm.fence())
    add('vzeroupper', (asm) => asm.clearUpper())
    add('ret', (asm) => asm.ret())
    expectSame(cases)
  })
})
