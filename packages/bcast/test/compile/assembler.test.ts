// The assembler refuses what would not validate, and encodes every instruction as the platform reads it.
import { describe, expect, it } from 'vitest'
import { Assembler, signed, unsigned } from '../../src/compile/wasm/assembler.ts'
import { wasmModule } from '../../src/compile/wasm/module.ts'
import {
  laneMemoryOpcodes,
  laneOpcodes,
  memoryOpcodes,
  opcodes,
  type ValueType,
} from '../../src/compile/wasm/opcodes.ts'
import { wasm } from '../../src/runtime/platform.ts'

const memory = { shared: true, maximum: 1 }

/** Pushes a value of each type from locals that are never set. */
function push(asm: Assembler, types: readonly ValueType[]): void {
  for (const type of types) asm.get(asm.local(type))
}

function isValid(write: (asm: Assembler) => void, gives: readonly ValueType[]): boolean {
  const asm = new Assembler(['i32'])
  write(asm)
  for (const type of gives.toReversed()) asm.set(asm.local(type))
  return wasm!.validate(wasmModule(['i32'], [], asm.finish([]), memory))
}

describe('encoding', () => {
  it('LEB128 as in the specification', () => {
    expect(unsigned(624_485)).toEqual([0xe5, 0x8e, 0x26])
    expect(unsigned(2 ** 32 - 1)).toEqual([0xff, 0xff, 0xff, 0xff, 0x0f])
    expect(signed(-123_456n)).toEqual([0xc0, 0xbb, 0x78])
    expect(signed(63n)).toEqual([0x3f])
    expect(signed(64n)).toEqual([0xc0, 0x00])
    expect(signed(-(2n ** 63n))).toHaveLength(10)
  })

  it.each([...opcodes])('%s takes and gives what the platform says', (name, { takes, gives }) => {
    const valid = isValid((asm) => {
      push(asm, takes)
      asm.op(name)
    }, gives)
    expect(valid).toBe(true)
  })

  it.each([...laneOpcodes])('%s', (name, { takes, gives }) => {
    const valid = isValid((asm) => {
      push(asm, takes)
      asm.lane(name, 1)
    }, gives)
    expect(valid).toBe(true)
  })

  it.each([...memoryOpcodes])('%s', (name, { takes, gives }) => {
    const valid = isValid((asm) => {
      push(asm, takes)
      asm.memory(name, 1000)
    }, gives)
    expect(valid).toBe(true)
  })

  it.each([...laneMemoryOpcodes])('%s', (name, { takes, gives }) => {
    const valid = isValid((asm) => {
      push(asm, takes)
      asm.laneMemory(name, 1, 16)
    }, gives)
    expect(valid).toBe(true)
  })

  it('constants, blocks, branches, select, shuffle', () => {
    const valid = isValid(
      (asm) => {
        asm
          .i32(-1)
          .i64(-(2n ** 63n))
          .set(asm.local('i64'))
          .set(asm.local('i32'))
        asm.block(() => {
          asm.loop(() => {
            asm.get(asm.parameter(0)).brIf(1)
            asm.get(asm.parameter(0)).if(
              () => asm.br(1),
              () => asm.br(2),
            )
          })
        })
        asm.v128(new Uint8Array(16).fill(7)).v128(new Uint8Array(16)).get(asm.parameter(0)).select()
        asm
          .tee(asm.local('v128'))
          .v128(new Uint8Array(16))
          .shuffle(Array.from({ length: 16 }, (_, i) => 31 - i))
      },
      ['v128'],
    )
    expect(valid).toBe(true)
  })
})

describe('checking', () => {
  const asm = () => new Assembler(['i32'])

  it('refuses an operand of the wrong type', () => {
    expect(() => asm().i32(1).i64(1n).op('i32.add')).toThrow('i32.add takes i32, and the stack has i64')
  })
  it('refuses an empty stack', () => {
    expect(() => asm().op('i32.eqz')).toThrow('i32.eqz takes i32, and the stack has nothing')
  })
  it('refuses a local of another type', () => {
    const a = asm()
    expect(() => a.i32(1).set(a.local('v128'))).toThrow('takes v128')
  })
  it('refuses a block that leaves something', () => {
    const a = asm()
    expect(() => a.block(() => a.i32(1))).toThrow('block leaves i32')
  })
  it('refuses a block that reaches below itself', () => {
    const a = asm()
    a.i32(1)
    expect(() => a.block(() => a.op('i32.eqz'))).toThrow('stack has nothing')
  })
  it('refuses a result of another type', () => {
    expect(() => asm().i32(1).finish(['i64'])).toThrow('gives i64')
  })
  it('refuses an instruction that does not exist', () => {
    expect(() => asm().op('i32.frobnicate')).toThrow('no instruction i32.frobnicate')
  })
})
