// What computes each instruction, in kernels and in the interpreter. An operator passes the code of those that its
// programs hold to the backends, so that a bundle carries what the operators it uses need and no more.

import { EngineError } from '../errors/index.ts'
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
export interface InstructionCode {
  readonly op: Primitive
  /** Writes it into a kernel. */
  readonly webassembly: Emit
  /** Computes it block by block. */
  readonly interpreter: BlockLoops
}

/** Lists hold lists, because bundlers keep what is spread. */
export type InstructionList = readonly (InstructionCode | InstructionList)[]

/** The code of the instructions that a program may hold. */
export type Instructions = ReadonlyMap<Primitive, InstructionCode>

export function instructionsOf(...list: InstructionList): Instructions {
  const code = new Map<Primitive, InstructionCode>()
  const add = (each: InstructionCode | InstructionList): void => {
    if ('op' in each) code.set(each.op, each)
    else each.forEach(add)
  }
  list.forEach(add)
  return code
}

/** The code of an instruction; an operator that does not bring what its row needs is a defect of bcast. */
export function codeOf(instructions: Instructions, op: Primitive): InstructionCode {
  const code = instructions.get(op)
  if (code === undefined) throw new EngineError(`no backend was given the code of instruction ${op}`)
  return code
}

export const add: InstructionCode = { op: 'add', webassembly: wasmArithmetic.add, interpreter: arithmetic.add }
export const sub: InstructionCode = { op: 'sub', webassembly: wasmArithmetic.sub, interpreter: arithmetic.sub }
export const mul: InstructionCode = { op: 'mul', webassembly: wasmArithmetic.mul, interpreter: arithmetic.mul }
export const neg: InstructionCode = { op: 'neg', webassembly: wasmArithmetic.neg, interpreter: arithmetic.neg }
export const abs: InstructionCode = { op: 'abs', webassembly: wasmArithmetic.abs, interpreter: arithmetic.abs }
export const sign: InstructionCode = { op: 'sign', webassembly: wasmArithmetic.sign, interpreter: arithmetic.sign }
export const min: InstructionCode = { op: 'min', webassembly: wasmComparison.min, interpreter: arithmetic.min }
export const max: InstructionCode = { op: 'max', webassembly: wasmComparison.max, interpreter: arithmetic.max }

export const div: InstructionCode = { op: 'div', webassembly: wasmLanes.div, interpreter: division.div }
export const floorDiv: InstructionCode = {
  op: 'floorDiv',
  webassembly: wasmLanes.floorDiv,
  interpreter: division.floorDiv,
}
export const rem: InstructionCode = { op: 'rem', webassembly: wasmLanes.rem, interpreter: division.rem }
export const mod: InstructionCode = { op: 'mod', webassembly: wasmLanes.mod, interpreter: division.mod }
export const power: InstructionCode = { op: 'power', webassembly: wasmLanes.power, interpreter: division.power }

export const and: InstructionCode = { op: 'and', webassembly: wasmBits.and, interpreter: bits.and }
export const or: InstructionCode = { op: 'or', webassembly: wasmBits.or, interpreter: bits.or }
export const xor: InstructionCode = { op: 'xor', webassembly: wasmBits.xor, interpreter: bits.xor }
export const not: InstructionCode = { op: 'not', webassembly: wasmBits.not, interpreter: bits.not }
export const shl: InstructionCode = { op: 'shl', webassembly: wasmLanes.shl, interpreter: bits.shl }
export const shr: InstructionCode = { op: 'shr', webassembly: wasmLanes.shr, interpreter: bits.shr }

export const equal: InstructionCode = { op: 'equal', webassembly: wasmComparison.equal, interpreter: comparison.equal }
export const less: InstructionCode = { op: 'less', webassembly: wasmComparison.less, interpreter: comparison.less }
export const lessEqual: InstructionCode = {
  op: 'lessEqual',
  webassembly: wasmComparison.lessEqual,
  interpreter: comparison.lessEqual,
}
export const select: InstructionCode = {
  op: 'select',
  webassembly: wasmComparison.select,
  interpreter: comparison.select,
}

export const sqrt: InstructionCode = { op: 'sqrt', webassembly: wasmArithmetic.sqrt, interpreter: functions.sqrt }
export const floor: InstructionCode = { op: 'floor', webassembly: wasmArithmetic.floor, interpreter: functions.floor }
export const ceil: InstructionCode = { op: 'ceil', webassembly: wasmArithmetic.ceil, interpreter: functions.ceil }
export const round: InstructionCode = { op: 'round', webassembly: wasmArithmetic.round, interpreter: functions.round }

/** Conversions between numbers and truth values of every type; those of 16-bit floats are always there. */
export const cast: InstructionCode = { op: 'cast', webassembly: wasmCast, interpreter: { cast: conversion } }

/** What the functions computed in float64 are made of: exp, log, tanh, sigmoid, pow. */
export const float64Functions: InstructionList = [
  [add, sub, mul, div, neg, abs, round, less, equal, and, or, not, select, cast],
  { op: 'withSign', webassembly: wasmBits.withSign, interpreter: functions.withSign },
  { op: 'power2', webassembly: wasmBits.power2, interpreter: functions.power2 },
  { op: 'exponent', webassembly: wasmBits.exponent, interpreter: functions.exponent },
  { op: 'mantissa', webassembly: wasmBits.mantissa, interpreter: functions.mantissa },
  { op: 'high', webassembly: wasmBits.high, interpreter: functions.high },
]

/** Everything that a program may hold. */
export const all: InstructionList = [
  [sign, min, max, floorDiv, rem, mod, power, xor, shl, shr, lessEqual, sqrt, floor, ceil],
  float64Functions,
]
