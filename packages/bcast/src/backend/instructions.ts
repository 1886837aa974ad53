// What computes each instruction, in kernels and in the interpreter. An operator names the ones its programs hold when
// it is made, so that a bundle carries the code of the operators it uses and no other.

import type { Primitive } from '../expr/ir.ts'
import * as arithmetic from './interpreter/arithmetic.ts'
import * as bits from './interpreter/bits.ts'
import { conversion } from './interpreter/casts.ts'
import * as comparison from './interpreter/comparison.ts'
import * as division from './interpreter/division.ts'
import * as functions from './interpreter/float-functions.ts'
import { type Loops, provideLoops } from './interpreter/loops.ts'
import * as wasmArithmetic from './webassembly/codegen/arithmetic.ts'
import * as wasmBits from './webassembly/codegen/bits.ts'
import { cast as wasmCast } from './webassembly/codegen/casts.ts'
import * as wasmComparison from './webassembly/codegen/comparison.ts'
import { type Emit, provideEmitter } from './webassembly/codegen/emitters.ts'
import * as wasmLanes from './webassembly/codegen/lanes.ts'

export interface Operation {
  readonly op: Primitive
  /** Writes it into a kernel. */
  readonly emit: Emit
  /** Computes it in the interpreter. */
  readonly loops: Loops
}

/** Lists hold lists, because bundlers keep what is spread. */
export type Operations = readonly (Operation | Operations)[]

/** Makes operations known to both backends. */
export function provide(operations: Operations): void {
  for (const operation of operations) {
    if ('op' in operation) {
      provideEmitter(operation.op, operation.emit)
      provideLoops(operation.op, operation.loops)
    } else provide(operation)
  }
}

export const add: Operation = { op: 'add', emit: wasmArithmetic.add, loops: arithmetic.add }
export const sub: Operation = { op: 'sub', emit: wasmArithmetic.sub, loops: arithmetic.sub }
export const mul: Operation = { op: 'mul', emit: wasmArithmetic.mul, loops: arithmetic.mul }
export const neg: Operation = { op: 'neg', emit: wasmArithmetic.neg, loops: arithmetic.neg }
export const abs: Operation = { op: 'abs', emit: wasmArithmetic.abs, loops: arithmetic.abs }
export const sign: Operation = { op: 'sign', emit: wasmArithmetic.sign, loops: arithmetic.sign }
export const min: Operation = { op: 'min', emit: wasmComparison.min, loops: arithmetic.min }
export const max: Operation = { op: 'max', emit: wasmComparison.max, loops: arithmetic.max }

export const div: Operation = { op: 'div', emit: wasmLanes.div, loops: division.div }
export const floorDiv: Operation = { op: 'floorDiv', emit: wasmLanes.floorDiv, loops: division.floorDiv }
export const rem: Operation = { op: 'rem', emit: wasmLanes.rem, loops: division.rem }
export const mod: Operation = { op: 'mod', emit: wasmLanes.mod, loops: division.mod }
export const power: Operation = { op: 'power', emit: wasmLanes.power, loops: division.power }

export const and: Operation = { op: 'and', emit: wasmBits.and, loops: bits.and }
export const or: Operation = { op: 'or', emit: wasmBits.or, loops: bits.or }
export const xor: Operation = { op: 'xor', emit: wasmBits.xor, loops: bits.xor }
export const not: Operation = { op: 'not', emit: wasmBits.not, loops: bits.not }
export const shl: Operation = { op: 'shl', emit: wasmLanes.shl, loops: bits.shl }
export const shr: Operation = { op: 'shr', emit: wasmLanes.shr, loops: bits.shr }

export const equal: Operation = { op: 'equal', emit: wasmComparison.equal, loops: comparison.equal }
export const less: Operation = { op: 'less', emit: wasmComparison.less, loops: comparison.less }
export const lessEqual: Operation = { op: 'lessEqual', emit: wasmComparison.lessEqual, loops: comparison.lessEqual }
export const select: Operation = { op: 'select', emit: wasmComparison.select, loops: comparison.select }

export const sqrt: Operation = { op: 'sqrt', emit: wasmArithmetic.sqrt, loops: functions.sqrt }
export const floor: Operation = { op: 'floor', emit: wasmArithmetic.floor, loops: functions.floor }
export const ceil: Operation = { op: 'ceil', emit: wasmArithmetic.ceil, loops: functions.ceil }
export const round: Operation = { op: 'round', emit: wasmArithmetic.round, loops: functions.round }

/** Conversions between numbers and truth values of every type; those of 16-bit floats are always there. */
export const cast: Operation = { op: 'cast', emit: wasmCast, loops: { cast: conversion } }

/** What the functions computed in float64 are made of: exp, log, tanh, sigmoid, pow. */
export const float64Functions: Operations = [
  [add, sub, mul, div, neg, abs, round, less, equal, and, or, not, select, cast],
  { op: 'withSign', emit: wasmBits.withSign, loops: functions.withSign },
  { op: 'power2', emit: wasmBits.power2, loops: functions.power2 },
  { op: 'exponent', emit: wasmBits.exponent, loops: functions.exponent },
  { op: 'mantissa', emit: wasmBits.mantissa, loops: functions.mantissa },
  { op: 'high', emit: wasmBits.high, loops: functions.high },
]

/** Everything that a program may hold. */
export const all: Operations = [
  [sign, min, max, floorDiv, rem, mod, power, xor, shl, shr, lessEqual, sqrt, floor, ceil],
  float64Functions,
]
