// The assembler encodes every instruction as the platform reads it, and as the specification names it.
import { describe, expect, it } from 'vitest'
import { wasm } from '../../../src/backend/platform.ts'
import { Assembler, Bytes } from '../../../src/backend/webassembly/codegen/assembler.ts'
import { wasmModule } from '../../../src/backend/webassembly/codegen/module.ts'
import type { ValueType } from '../../../src/backend/webassembly/codegen/opcodes.ts'
import { instructions, kernelText } from '../../../src/debug/wat.ts'

const memory = { shared: true, maximum: 1 }
const V = 'v128'

/** The module of what is written; it gives 0. */
function moduleOf(write: (asm: Assembler) => void): Uint8Array {
  const asm = new Assembler()
  write(asm)
  return wasmModule(asm.i32(0).finish(), memory)
}

const SCALARS: Readonly<Record<string, ValueType>> = {
  ...{ i8x16: 'i32', i16x8: 'i32', i32x4: 'i32', i64x2: 'i64', f32x4: 'f32', f64x2: 'f64' },
}

interface Signature {
  readonly takes: readonly ValueType[]
  readonly gives: readonly ValueType[]
  /** What follows the code. */
  readonly immediates: 'none' | 'lane' | 'memory' | 'lane memory'
}

const signature = (
  takes: ValueType[],
  gives: ValueType[],
  immediates: Signature['immediates'] = 'none',
): Signature => ({
  takes,
  gives,
  immediates,
})

/** What an instruction takes and gives, as its name says. */
function signatureOf(name: string, shape: string): Signature {
  if (name === 'load' || name === 'store') {
    const type = shape as ValueType
    return name === 'load' ? signature(['i32'], [type], 'memory') : signature(['i32', type], [], 'memory')
  }
  if (name === 'load_lane') return signature(['i32', V], [V], 'lane memory')
  if (name === 'store_lane') return signature(['i32', V], [], 'lane memory')
  if (name.startsWith('load_')) return signature(['i32'], [V], 'memory')
  const scalar = SCALARS[shape]
  if (scalar === undefined && shape !== V) return scalarSignature(name, shape as ValueType)
  if (name === 'splat') return signature([scalar!], [V])
  if (name.startsWith('extract_lane')) return signature([V], [scalar!], 'lane')
  if (name === 'replace_lane') return signature([V, scalar!], [V], 'lane')
  if (name === 'bitselect') return signature([V, V, V], [V])
  if (name === 'any_true') return signature([V], ['i32'])
  if (/^sh[lr]/.test(name)) return signature([V, 'i32'], [V])
  const unary = /^(neg|abs|sqrt|ceil|floor|trunc|nearest|not$|extend|convert|demote|promote)/.test(name)
  return signature(unary ? [V] : [V, V], [V])
}

function scalarSignature(name: string, type: ValueType): Signature {
  if (name === 'eqz') return signature([type], ['i32'])
  if (/^(eq|ne|lt|gt|le|ge)(_|$)/.test(name)) return signature([type, type], ['i32'])
  const source = /_([if]\d\d)/.exec(name)?.[1] as ValueType | undefined
  if (source !== undefined) return signature([source], [type])
  return name === 'trunc' ? signature([type], [type]) : signature([type, type], [type])
}

describe('encoding', () => {
  it('LEB128 as in the specification', () => {
    const unsigned = (value: number) => [...new Bytes().unsigned(value).written]
    const signed = (value: number) => [...new Bytes().signed(value).written]
    expect(unsigned(624_485)).toEqual([0xe5, 0x8e, 0x26])
    expect(unsigned(127)).toEqual([0x7f])
    expect(unsigned(128)).toEqual([0x80, 0x01])
    expect(unsigned(2 ** 32 - 1)).toEqual([0xff, 0xff, 0xff, 0xff, 0x0f])
    expect(signed(-123_456)).toEqual([0xc0, 0xbb, 0x78])
    expect(signed(63)).toEqual([0x3f])
    expect(signed(64)).toEqual([0xc0, 0x00])
    expect(signed(-64)).toEqual([0x40])
    expect(signed(-(2 ** 31))).toEqual([0x80, 0x80, 0x80, 0x80, 0x78])
  })

  it('bytes beyond what was there at first', () => {
    const bytes = new Bytes()
    for (let i = 0; i < 5000; i++) bytes.byte(i & 0xff)
    bytes.append(new Uint8Array(20_000).fill(7))
    expect(bytes.written.length).toBe(25_000)
    expect(bytes.written[4999]).toBe(4999 & 0xff)
    expect(bytes.written.at(-1)).toBe(7)
  })

  it('no code stands for two instructions', () => {
    expect(new Set(instructions.map(([, , code]) => code)).size).toBe(instructions.length)
  })

  it.each(instructions)('%s of %s takes and gives what the platform says', (name, shape, code) => {
    const { takes, gives, immediates } = signatureOf(name, shape)
    const module = moduleOf((asm) => {
      for (const type of takes) asm.get(asm.local(type))
      if (immediates === 'none') asm.op(code)
      else if (immediates === 'lane') asm.lane(code, 1)
      else if (immediates === 'memory') asm.memory(code, 1000)
      else asm.laneMemory(code, 1, 16)
      for (const type of gives) asm.set(asm.local(type))
    })
    expect(wasm!.validate(module)).toBe(true)
  })

  it('constants, blocks, branches, select, shuffle', () => {
    const module = moduleOf((asm) => {
      const { parameter } = asm
      asm.i32(-(2 ** 31)).set(asm.local('i32'))
      asm.block(() => {
        asm.loop(() => {
          asm.get(parameter).brIf(1)
          asm.get(parameter).if(
            () => asm.br(1),
            () => asm.br(2),
          )
        })
      })
      asm.i32(1).i32(2).get(parameter).select().tee(asm.local('i32')).set(parameter)
      const sevens = asm.constant(new Uint8Array(16).fill(7))
      asm
        .get(sevens)
        .get(asm.constant(new Uint8Array(16)))
        .shuffle(Array.from({ length: 16 }, (_, i) => 31 - i))
        .set(sevens)
    })
    expect(wasm!.validate(module)).toBe(true)
  })

  it('constants are set once, before everything else', () => {
    const module = moduleOf((asm) => {
      asm.get(asm.parameter).set(asm.parameter)
      const [a, b] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(1)]
      expect(asm.constant(a)).toBe(asm.constant(b))
    })
    const ones = '1 '.repeat(16).trim()
    expect(kernelText(module).split('\n').slice(-9)).toEqual([
      '  (func (export "run") (param i32) (result i32)',
      '    (local v128)',
      `    v128.const i8x16 ${ones}`,
      '    local.set 1',
      '    local.get 0',
      '    local.set 0',
      '    i32.const 0',
      '  )',
      ')',
    ])
  })
})
