// Every instruction that kernels of AArch64 use has the word that GNU as gives it, over registers and places of every kind.
import { describe, expect, it } from 'vitest'
import { needs } from '../../../../testing/needs.ts'
import { Assembler } from '../../src/arm64/assembler.ts'
import { FORMS, type VectorName } from '../../src/arm64/forms.ts'
import { ZERO } from '../../src/arm64/registers.ts'
import { assembled, hasGnuAs } from './gnu-as.ts'

interface Case {
  readonly text: string
  readonly hex: string
}

/** The words alone; what pads them for literals goes. */
function coded(text: string, write: (asm: Assembler) => unknown): Case {
  const asm = new Assembler()
  write(asm)
  const { length } = asm
  return { text, hex: Buffer.from(asm.finish().subarray(0, length)).toString('hex') }
}

function expectSame(cases: readonly Case[]): void {
  const judged = assembled(cases.map(({ text }) => text))
  const wrong = cases.flatMap(({ text, hex }, i) =>
    hex === judged[i] ? [] : [`${text}: ${hex}, ${judged[i]} is right`],
  )
  expect(wrong).toEqual([])
}

const LETTERS: Readonly<Record<number, string>> = { 1: 'b', 2: 'h', 4: 's', 8: 'd', 16: 'q' }

/** A register with its elements, in so many bytes. */
const elements = (register: number, width: number, bytes = 16): string =>
  `v${register}.${bytes / width}${LETTERS[width]}`

/** A vector instruction as text. */
function textOf(name: VectorName, width: number, to: number, a: number, b: number, amount: number): string {
  const { takes } = FORMS[name]
  const upper = name.endsWith('2')
  const half = upper ? 16 : 8
  const last = takes === 2 ? [b] : []
  const plain = /^(and|bic|or[rn]|eor|bsl|mvn)$/.test(name)
  if (name.endsWith('Lane')) return lanewise(name.slice(0, -'Lane'.length), width, [to, a, b], amount)
  if (name.startsWith('shll')) {
    return `${name} ${elements(to, 2 * width)}, ${elements(a, width, half)}, #${8 * width}`
  }
  if (/^(fcvtl|[su]shll)/.test(name)) {
    const shifted = takes === 'amount' ? `, #${amount}` : ''
    return `${name} ${elements(to, 2 * width)}, ${elements(a, width, half)}${shifted}`
  }
  if (/^(fcvtx?n|[su]?q?xtn)/.test(name)) return `${name} ${elements(to, width, half)}, ${elements(a, 2 * width)}`
  if (name === 'uaddlp') return `${name} ${elements(to, 2 * width)}, ${elements(a, width)}`
  if (name === 'umull') return `${name} ${elements(to, 2 * width)}, ${elements(a, width, 8)}, ${elements(b, width, 8)}`
  const listed = [to, a, ...last].map((register) => elements(register, plain ? 1 : width))
  return `${name} ${listed.join(', ')}${takes === 'amount' ? `, #${amount}` : ''}`
}

/** One with a lane of its last register; what makes elements longer reads the lower half of the other, or the upper. */
function lanewise(name: string, width: number, [to, a, b]: readonly number[], index: number): string {
  const isLong = name.startsWith('umlal')
  const from = isLong && !name.endsWith('2') ? 8 : 16
  const lane = `v${b}.${LETTERS[width]}[${index}]`
  return `${name} ${elements(to!, isLong ? 2 * width : width)}, ${elements(a!, width, from)}, ${lane}`
}

const REGISTERS = [
  [0, 1, 2],
  [31, 30, 29],
  [7, 16, 8],
  [16, 31, 1],
] as const

describe('vector instructions of AArch64', needs('gnu-as-arm64', hasGnuAs), () => {
  it('have the words of GNU as', () => {
    const cases = (Object.keys(FORMS) as VectorName[]).flatMap((name) =>
      FORMS[name].widths.flatMap((width) =>
        REGISTERS.flatMap(([to, a, b]) => {
          const { takes } = FORMS[name]
          const lanes = Array.from({ length: 16 / width }, (_, i) => i)
          const amounts = takes === 'amount' ? [1, 3, 8 * width - 1] : takes === 'lane' ? lanes : [0]
          return amounts.map((amount) =>
            coded(textOf(name, width, to, a, b, amount), (asm) =>
              asm.vector(name, width, to, takes === 2 || takes === 'lane' ? [a, b] : [a], amount),
            ),
          )
        }),
      ),
    )
    expect(cases.length).toBeGreaterThan(500)
    expectSame(cases)
  })

  it('move lanes, and vectors from and to memory', () => {
    const cases: Case[] = []
    const add = (text: string, write: (asm: Assembler) => unknown): void => void cases.push(coded(text, write))
    for (const [to, from, base] of REGISTERS) {
      add(`mov v${to}.16b, v${from}.16b`, (asm) => asm.moveVector(to, from))
      for (const [bytes, letter] of Object.entries(LETTERS)) {
        const width = Number(bytes)
        for (const displacement of [0, width, 17 * width, 4095 * width]) {
          const place = { base, displacement }
          add(`ldr ${letter}${to}, [x${base}, #${displacement}]`, (asm) => asm.loadVector(to, place, width))
          add(`str ${letter}${to}, [x${base}, #${displacement}]`, (asm) => asm.storeVector(place, to, width))
        }
        if (width === 16) continue
        add(`ld1r {${elements(to, width)}}, [x${base}]`, (asm) => asm.spread(to, base, width))
        const general = width === 8 ? 'x' : 'w'
        add(`dup ${elements(to, width)}, ${general}${base}`, (asm) => asm.putLanes(to, width, base))
        for (let i = 0; i < 16 / width; i++) {
          add(`ld1 {v${to}.${letter}}[${i}], [x${base}], x${from & 15}`, (asm) =>
            asm.loadLane(to, i, width, base, from & 15),
          )
          add(`ins v${to}.${letter}[${i}], ${general}${base}`, (asm) => asm.putLane(to, i, width, base))
          add(`umov ${general}${base}, v${from}.${letter}[${i}]`, (asm) => asm.takeLane(base, from, i, width, false))
          const signed = width < 4 ? 'smov' : 'umov'
          add(`${signed} ${general}${base}, v${from}.${letter}[${i}]`, (asm) =>
            asm.takeLane(base, from, i, width, true),
          )
        }
      }
      add(`movi v${to}.2d, #0`, (asm) => asm.clearVector(to))
      for (const [letter, width] of [
        ['s', 4],
        ['d', 8],
        ['q', 16],
      ] as const) {
        add(`ldr ${letter}${to}, [x${base}, x${from & 15}]`, (asm) => asm.loadVectorAt(to, base, from & 15, width))
        if (width === 16) continue
        for (let i = 0; i < 16 / width; i++) {
          add(`st1 {v${to}.${letter}}[${i}], [x${base}], #${width}`, (asm) => asm.storeLane(base, to, i, width))
          add(`ld1 {v${to}.${letter}}[${i}], [x${base}], #${width}`, (asm) => asm.loadLane(to, i, width, base, ZERO))
        }
      }
      for (const displacement of [0, 16, 1008]) {
        add(`stnp q${to}, q${from}, [x${base}, #${displacement}]`, (asm) =>
          asm.storePast(to, from, { base, displacement }),
        )
      }
    }
    add('ldr q3, [sp, #64]', (asm) => asm.loadVector(3, { base: 31, displacement: 64 }))
    expectSame(cases)
  })
})

describe('general instructions of AArch64', needs('gnu-as-arm64', hasGnuAs), () => {
  it('have the words of GNU as', () => {
    const cases: Case[] = []
    const add = (text: string, write: (asm: Assembler) => unknown): void => void cases.push(coded(text, write))
    for (const [to, a, b] of [
      [0, 1, 2],
      [30, 29, 28],
      [9, 16, 17],
      [15, 0, 30],
    ] as const) {
      for (const wide of [true, false]) {
        const r = wide ? 'x' : 'w'
        const [t, x, y] = [to, a, b].map((register) => `${r}${register}`)
        const last = wide ? 63 : 31
        add(`add ${t}, ${x}, ${y}`, (asm) => asm.add(to, a, b, wide))
        add(`add ${t}, ${x}, ${y}, asr #${last}`, (asm) => asm.addSign(to, a, b, wide))
        add(`and ${t}, ${x}, ${y}, asr #${last}`, (asm) => asm.andSign(to, a, b, wide))
        add(`eor ${t}, ${x}, ${y}`, (asm) => asm.xor(to, a, b, wide))
        add(`mul ${t}, ${x}, ${y}`, (asm) => asm.multiply(to, a, b, wide))
        add(`msub ${t}, ${x}, ${y}, ${t}`, (asm) => asm.multiplySubtract(to, a, b, to, wide))
        add(`sdiv ${t}, ${x}, ${y}`, (asm) => asm.divide(to, a, b, true, wide))
        add(`udiv ${t}, ${x}, ${y}`, (asm) => asm.divide(to, a, b, false, wide))
        add(`csel ${t}, ${x}, ${y}, ne`, (asm) => asm.choose('notEqual', to, a, b, wide))
        add(`cmp ${x}, #0`, (asm) => asm.compareConstant(a, 0, wide))
        add(`cmp ${x}, #4095`, (asm) => asm.compareConstant(a, 4095, wide))
        add(`cmn ${x}, #1`, (asm) => asm.compareNegative(a, -1, wide))
        add(`ubfx ${t}, ${x}, #0, #1`, (asm) => asm.bits(to, a, 0, 1, wide))
        add(`lsr ${t}, ${x}, #1`, (asm) => asm.bits(to, a, 1, last, wide))
        add(`cbz ${t}, .`, (asm) => asm.jumpIfZero(to, here(asm), wide))
      }
      add(`cbnz x${to}, .`, (asm) => asm.jumpUnlessZero(to, here(asm)))
      for (const count of [1, 52, 63]) add(`lsl x${to}, x${a}, #${count}`, (asm) => asm.shiftLeft(to, a, count))
      add(`lsl x${to}, x${a}, x${b}`, (asm) => asm.shiftLeftBy(to, a, b))
      add(`clz x${to}, x${a}`, (asm) => asm.leadingZeros(to, a))
      add(`mov x${to}, x${a}`, (asm) => asm.move(to, a))
      add(`add x${to}, x${a}, #4095`, (asm) => asm.addConstant(to, a, 4095))
      add(`sub x${to}, x${a}, #1`, (asm) => asm.subtractConstant(to, a, 1))
      for (const value of [1, 4095]) add(`subs x${to}, x${a}, #${value}`, (asm) => asm.countDown(to, a, value))
      for (const count of [0, 1, 3]) {
        add(`add x${to}, x${a}, x${b}, lsl #${count}`, (asm) => asm.addShifted(to, a, b, count))
      }
      add(`and x${to}, x${a}, x${b}`, (asm) => asm.and(to, a, b))
      add(`cmp x${a}, x${b}`, (asm) => asm.compare(a, b))
      add(`add x${to}, x${a}, w${b}, uxtw`, (asm) => asm.addWord(to, a, b))
      add(`sub x${to}, x${a}, x${b}`, (asm) => asm.subtract(to, a, b))
      add(`csinc x${to}, x${a}, x${b}, eq`, (asm) => asm.chooseNext('equal', to, a, b))
      add(`add x${to}, x${a}, #160`, (asm) => asm.address(to, { base: a, displacement: 160 }))
      add(`add x${to}, sp, #1, lsl #12`, (asm) => asm.address(to, { base: 31, displacement: 4096 }))
      for (const bit of [0, 31, 63]) add(`tbz x${to}, #${bit}, .`, (asm) => asm.jumpIfClear(to, bit, here(asm)))
      for (const [bytes, r, end] of [
        [1, 'w', 'b'],
        [2, 'w', 'h'],
        [4, 'w', ''],
        [8, 'x', ''],
      ] as const) {
        for (const displacement of [0, bytes, 4095 * bytes]) {
          const place = { base: a, displacement }
          add(`ldr${end} ${r}${to}, [x${a}, #${displacement}]`, (asm) => asm.load(to, place, bytes))
          add(`str${end} ${r}${to}, [x${a}, #${displacement}]`, (asm) => asm.store(place, to, bytes))
        }
        add(`ldr${end} ${r}${to}, [x${a}], #${bytes}`, (asm) => asm.loadNext(to, a, bytes, bytes))
        add(`ldr${end} ${r}${to}, [x${a}], #0`, (asm) => asm.loadNext(to, a, bytes, 0))
        add(`str${end} ${r}${to}, [x${a}], #${bytes}`, (asm) => asm.storeNext(a, to, bytes))
      }
      for (const displacement of [0, 4, 4095 * 4]) {
        add(`ldrsw x${to}, [x${a}, #${displacement}]`, (asm) => asm.loadSigned(to, { base: a, displacement }))
      }
      add(`ldar x${to}, [x${a}]`, (asm) => asm.loadAcquire(to, a))
      add(`stlr x${to}, [x${a}]`, (asm) => asm.storeRelease(a, to))
      add(`ldaxr x${to}, [x${a}]`, (asm) => asm.loadExclusive(to, a))
      add(`stlxr w${to}, x${b}, [x${a}]`, (asm) => asm.storeExclusive(to, a, b))
      add(`blr x${a}`, (asm) => asm.callRegister(a))
      add(`br x${a}`, (asm) => asm.jumpTo(a))
      const place = { base: 29, displacement: 144 }
      add(`stp x${to}, x${b}, [x29, #144]`, (asm) => asm.storePair(place, to, b))
      add(`ldp x${to}, x${b}, [x29, #144]`, (asm) => asm.loadPair(to, b, place))
      add(`stp d${to}, d${b}, [x29, #144]`, (asm) => asm.storePair(place, to, b, true))
      add(`ldp d${to}, d${b}, [x29, #144]`, (asm) => asm.loadPair(to, b, place, true))
      add(`stp x${to}, x${b}, [sp, #-160]!`, (asm) => asm.pushPair(to, b, 160))
      add(`ldp x${to}, x${b}, [sp], #160`, (asm) => asm.popPair(to, b, 160))
    }
    add('sub sp, sp, #4, lsl #12', (asm) => asm.takeStack(16_384))
    add('mov sp, x29', (asm) => asm.giveStack(29))
    add('clrex', (asm) => asm.clearExclusive())
    add('dmb ish', (asm) => asm.barrier())
    add('yield', (asm) => asm.pause())
    add('svc #0', (asm) => asm.system())
    add('bl .', (asm) => asm.call(here(asm)))
    add('b .', (asm) => asm.jump(here(asm)))
    for (const [condition, name] of [
      ['equal', 'eq'],
      ['notEqual', 'ne'],
      ['greaterEqual', 'ge'],
      ['less', 'lt'],
      ['greater', 'gt'],
      ['lessEqual', 'le'],
    ] as const) {
      add(`b.${name} .`, (asm) => asm.jumpIf(condition, here(asm)))
    }
    add('ret', (asm) => asm.ret())
    expectSame(cases)
  })

  it('make constants, jump, and read what lies behind the code', () => {
    const asm = new Assembler()
    const [forward, back] = [asm.label(), asm.label()]
    asm
      .constant(3, 0x12340000_5678n)
      .constant(4, 0n)
      .constant(5, (1n << 64n) - 1n)
      .set(back)
      .jump(forward)
    asm.jumpIf('less', forward).loadVector(2, asm.literal(new Uint8Array(16).fill(1)))
    asm.jumpIfZero(1, back).jumpIfClear(2, 40, back).set(forward).address(6, { base: 7, displacement: 4100 }).ret()
    const { length } = asm
    const lines = [
      'movz x3, #0x5678',
      'movk x3, #0x1234, lsl #32',
      'movz x4, #0',
      'movz x5, #0xffff',
      'movk x5, #0xffff, lsl #16',
      'movk x5, #0xffff, lsl #32',
      'movk x5, #0xffff, lsl #48',
      'b .+20',
      'b.lt .+16',
      `ldr q2, .+${Math.ceil(length / 16) * 16 - 36}`,
      'cbz x1, .-12',
      'tbz x2, #40, .-16',
      'add x6, x7, #1, lsl #12',
      'add x6, x6, #4',
      'ret',
    ]
    expect(Buffer.from(asm.finish().subarray(0, length)).toString('hex')).toBe(assembled(lines).join(''))
  })
})

/** A label at the next instruction. */
function here(asm: Assembler): ReturnType<Assembler['label']> {
  const label = asm.label()
  asm.set(label)
  return label
}
