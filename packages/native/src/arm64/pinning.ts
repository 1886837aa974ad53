// Homes of values that bodies read and do not write; the last so many registers are left to what loops carry.
import { type Pinning as PinningIn, pinIn } from '../machine/pinning.ts'
import type { Assembler } from './assembler.ts'
import type { Body } from './body.ts'
import type { StackFrame } from './frame.ts'
import type { Literal, Memory } from './registers.ts'
import { readsOf, type Step } from './steps.ts'

/** Vector registers. */
export const REGISTERS = 32

export type Pinning = PinningIn<Memory, Literal>

export const pin = (
  asm: Assembler,
  body: Body,
  bodies: readonly (readonly Step[])[],
  stack: StackFrame,
  carried = 0,
): Pinning =>
  pinIn({
    bodies,
    readsOf,
    writtenBy: ({ to }) => to,
    literals: new Map(
      [...body.w.constants.values()].map(({ bytes, virtual: { virtual } }) => [virtual, asm.literal(bytes)]),
    ),
    splats: body.splats.map(({ value }) => value),
    hoisted: body.hoistedSteps,
    room: () => stack.room(16),
    registers: REGISTERS - carried,
  })
