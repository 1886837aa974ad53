// What computes each instruction, in kernels and in the interpreter. An operator passes the code of those that its
// programs hold to the backends, so that a bundle carries what the operators it uses need and no more.

import { EngineError } from '../errors/index.ts'
import type { Float64Primitive } from '../expr/functions/algebra-ir.ts'
import type { Primitive } from '../expr/ir.ts'
import * as arithmetic from './interpreter/arithmetic.ts'
import * as bits from './interpreter/bits.ts'
import { conversion } from './interpreter/casts.ts'
import * as comparison from './interpreter/comparison.ts'
import * as division from './interpreter/division.ts'
import * as functions from './interpreter/float-functions.ts'
import type { BlockLoops } from './interpreter/loops.ts'
import * as wasmArithmetic from './webassembly/codegen/arithmetic.ts'
import * as wasmBits from './webassembly/codegen/bits.ts'
import { cast as wasmCast } from './webassembly/codegen/casts.ts'
import * as wasmComparison from './webassembly/codegen/comparison.ts'
import type { Emit } from './webassembly/codegen/emitters.ts'
import * as wasmLanes from './webassembly/codegen/lanes.ts'

/** The code of one instruction, by backend. */
export interface InstructionCode<P extends Primitive = Primitive> {
  readonly op: P
  /** Writes it into a kernel. */
  readonly webassembly: Emit
  /** Computes it block by block. */
  readonly interpreter: BlockLoops
}

/** Code one by one, and several together by name; nothing is spread, because bundlers keep what is. */
export type InstructionList = readonly (InstructionCode | Readonly<Record<string, InstructionCode>>)[]

/** The instructions that a list has the code of. */
export type ProvidedBy<L extends InstructionList> = L[number] extends infer E
  ? E extends InstructionCode<infer P>
    ? P
    : E extends Readonly<Record<string, InstructionCode<infer P>>>
      ? P
      : never
  : never

/** The code of the instructions that a program may hold. */
export type Instructions = ReadonlyMap<Primitive, InstructionCode>

const isCode = (given: InstructionList[number]): given is InstructionCode => typeof given.op === 'string'

export function instructionsOf(...list: InstructionList): Instructions {
  const all = list.flatMap((each) => (isCode(each) ? [each] : Object.values(each)))
  return new Map(all.map((code) => [code.op, code]))
}

/** The code of an instruction; an operator that does not bring what its row needs is a defect of bcast. */
export function codeOf(instructions: Instructions, op: Primitive): InstructionCode {
  const code = instructions.get(op)
  if (code === undefined) throw new EngineError(`no backend was given the code of instruction ${op}`)
  return code
}

export const add: InstructionCode<'add'> = { op: 'add', webassembly: wasmArithmetic.add, interpreter: arithmetic.add }
export const sub: InstructionCode<'sub'> = { op: 'sub', webassembly: wasmArithmetic.sub, interpreter: arithmetic.sub }
export const mul: InstructionCode<'mul'> = { op: 'mul', webassembly: wasmArithmetic.mul, interpreter: arithmetic.mul }
export const neg: InstructionCode<'neg'> = { op: 'neg', webassembly: wasmArithmetic.neg, interpreter: arithmetic.neg }
export const abs: InstructionCode<'abs'> = { op: 'abs', webassembly: wasmArithmetic.abs, interpreter: arithmetic.abs }
export const sign: InstructionCode<'sign'> = {
  op: 'sign',
  webassembly: wasmArithmetic.sign,
  interpreter: arithmetic.sign,
}
export const min: InstructionCode<'min'> = { op: 'min', webassembly: wasmComparison.min, interpreter: arithmetic.min }
export const max: InstructionCode<'max'> = { op: 'max', webassembly: wasmComparison.max, interpreter: arithmetic.max }

export const div: InstructionCode<'div'> = { op: 'div', webassembly: wasmLanes.div, interpreter: division.div }
export const floorDiv: InstructionCode<'floorDiv'> = {
  op: 'floorDiv',
  webassembly: wasmLanes.floorDiv,
  interpreter: division.floorDiv,
}
export const rem: InstructionCode<'rem'> = { op: 'rem', webassembly: wasmLanes.rem, interpreter: division.rem }
export const mod: InstructionCode<'mod'> = { op: 'mod', webassembly: wasmLanes.mod, interpreter: division.mod }
export const power: InstructionCode<'power'> = {
  op: 'power',
  webassembly: wasmLanes.power,
  interpreter: division.power,
}

export const and: InstructionCode<'and'> = { op: 'and', webassembly: wasmBits.and, interpreter: bits.and }
export const or: InstructionCode<'or'> = { op: 'or', webassembly: wasmBits.or, interpreter: bits.or }
export const xor: InstructionCode<'xor'> = { op: 'xor', webassembly: wasmBits.xor, interpreter: bits.xor }
export const not: InstructionCode<'not'> = { op: 'not', webassembly: wasmBits.not, interpreter: bits.not }
export const shl: InstructionCode<'shl'> = { op: 'shl', webassembly: wasmLanes.shl, interpreter: bits.shl }
export const shr: InstructionCode<'shr'> = { op: 'shr', webassembly: wasmLanes.shr, interpreter: bits.shr }

export const equal: InstructionCode<'equal'> = {
  op: 'equal',
  webassembly: wasmComparison.equal,
  interpreter: comparison.equal,
}
export const less: InstructionCode<'less'> = {
  op: 'less',
  webassembly: wasmComparison.less,
  interpreter: comparison.less,
}
export const lessEqual: InstructionCode<'lessEqual'> = {
  op: 'lessEqual',
  webassembly: wasmComparison.lessEqual,
  interpreter: comparison.lessEqual,
}
export const select: InstructionCode<'select'> = {
  op: 'select',
  webassembly: wasmComparison.select,
  interpreter: comparison.select,
}

export const sqrt: InstructionCode<'sqrt'> = {
  op: 'sqrt',
  webassembly: wasmArithmetic.sqrt,
  interpreter: functions.sqrt,
}
export const floor: InstructionCode<'floor'> = {
  op: 'floor',
  webassembly: wasmArithmetic.floor,
  interpreter: functions.floor,
}
export const ceil: InstructionCode<'ceil'> = {
  op: 'ceil',
  webassembly: wasmArithmetic.ceil,
  interpreter: functions.ceil,
}
export const round: InstructionCode<'round'> = {
  op: 'round',
  webassembly: wasmArithmetic.round,
  interpreter: functions.round,
}

/** Conversions between numbers and truth values of every type; those of 16-bit floats are always there. */
export const cast: InstructionCode<'cast'> = { op: 'cast', webassembly: wasmCast, interpreter: { cast: conversion } }

/** What the functions computed in float64 are made of. */
export const float64Functions: { readonly [P in Float64Primitive]: InstructionCode<P> } = {
  add,
  sub,
  mul,
  div,
  neg,
  abs,
  round,
  less,
  equal,
  and,
  or,
  not,
  select,
  cast,
  withSign: { op: 'withSign', webassembly: wasmBits.withSign, interpreter: functions.withSign },
  power2: { op: 'power2', webassembly: wasmBits.power2, interpreter: functions.power2 },
  exponent: { op: 'exponent', webassembly: wasmBits.exponent, interpreter: functions.exponent },
  mantissa: { op: 'mantissa', webassembly: wasmBits.mantissa, interpreter: functions.mantissa },
  high: { op: 'high', webassembly: wasmBits.high, interpreter: functions.high },
}

/** Everything that a program may hold. */
export const all: InstructionList = [
  { sign, min, max, floorDiv, rem, mod, power, xor, shl, shr, lessEqual, sqrt, floor, ceil },
  float64Functions,
]
