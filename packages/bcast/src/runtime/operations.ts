// What computes each instruction, in kernels and in the interpreter. An operator names the ones its programs hold when
// it is made, so that a bundle carries the code of the operators it uses and no other.
import * as wasmArithmetic from '../compile/wasm/arithmetic.ts'
import * as wasmBits from '../compile/wasm/bits.ts'
import { cast as wasmCast } from '../compile/wasm/casts.ts'
import * as wasmComparison from '../compile/wasm/comparison.ts'
import { type Emit, provideEmitter } from '../compile/wasm/emitters.ts'
import * as wasmLanes from '../compile/wasm/lanes.ts'
import type { Float64Primitive } from '../expr/functions/algebra-ir.ts'
import type { Primitive } from '../expr/ir.ts'
import * as arithmetic from './interpreter/arithmetic.ts'
import * as bits from './interpreter/bits.ts'
import { conversion } from './interpreter/casts.ts'
import * as comparison from './interpreter/comparison.ts'
import * as division from './interpreter/division.ts'
import * as functions from './interpreter/float-functions.ts'
import { type Loops, provideLoops } from './interpreter/loops.ts'

export interface Operation<P extends Primitive = Primitive> {
  readonly op: P
  /** Writes it into a kernel. */
  readonly emit: Emit
  /** Computes it in the interpreter. */
  readonly loops: Loops
}

/** Operations one by one, and several together by name; nothing is spread, because bundlers keep what is. */
export type Operations = readonly (Operation | Readonly<Record<string, Operation>>)[]

/** The instructions that operations are for. */
export type ProvidedBy<O extends Operations> = O[number] extends infer E
  ? E extends Operation<infer P>
    ? P
    : E extends Readonly<Record<string, Operation<infer P>>>
      ? P
      : never
  : never

const isOperation = (given: Operations[number]): given is Operation => typeof given.op === 'string'

/** Makes operations known to both backends. */
export function provide(operations: Operations): void {
  for (const operation of operations) {
    if (isOperation(operation)) {
      provideEmitter(operation.op, operation.emit)
      provideLoops(operation.op, operation.loops)
    } else provide(Object.values(operation))
  }
}

export const add: Operation<'add'> = { op: 'add', emit: wasmArithmetic.add, loops: arithmetic.add }
export const sub: Operation<'sub'> = { op: 'sub', emit: wasmArithmetic.sub, loops: arithmetic.sub }
export const mul: Operation<'mul'> = { op: 'mul', emit: wasmArithmetic.mul, loops: arithmetic.mul }
export const neg: Operation<'neg'> = { op: 'neg', emit: wasmArithmetic.neg, loops: arithmetic.neg }
export const abs: Operation<'abs'> = { op: 'abs', emit: wasmArithmetic.abs, loops: arithmetic.abs }
export const sign: Operation<'sign'> = { op: 'sign', emit: wasmArithmetic.sign, loops: arithmetic.sign }
export const min: Operation<'min'> = { op: 'min', emit: wasmComparison.min, loops: arithmetic.min }
export const max: Operation<'max'> = { op: 'max', emit: wasmComparison.max, loops: arithmetic.max }

export const div: Operation<'div'> = { op: 'div', emit: wasmLanes.div, loops: division.div }
export const floorDiv: Operation<'floorDiv'> = { op: 'floorDiv', emit: wasmLanes.floorDiv, loops: division.floorDiv }
export const rem: Operation<'rem'> = { op: 'rem', emit: wasmLanes.rem, loops: division.rem }
export const mod: Operation<'mod'> = { op: 'mod', emit: wasmLanes.mod, loops: division.mod }
export const power: Operation<'power'> = { op: 'power', emit: wasmLanes.power, loops: division.power }

export const and: Operation<'and'> = { op: 'and', emit: wasmBits.and, loops: bits.and }
export const or: Operation<'or'> = { op: 'or', emit: wasmBits.or, loops: bits.or }
export const xor: Operation<'xor'> = { op: 'xor', emit: wasmBits.xor, loops: bits.xor }
export const not: Operation<'not'> = { op: 'not', emit: wasmBits.not, loops: bits.not }
export const shl: Operation<'shl'> = { op: 'shl', emit: wasmLanes.shl, loops: bits.shl }
export const shr: Operation<'shr'> = { op: 'shr', emit: wasmLanes.shr, loops: bits.shr }

export const equal: Operation<'equal'> = { op: 'equal', emit: wasmComparison.equal, loops: comparison.equal }
export const less: Operation<'less'> = { op: 'less', emit: wasmComparison.less, loops: comparison.less }
export const lessEqual: Operation<'lessEqual'> = {
  op: 'lessEqual',
  emit: wasmComparison.lessEqual,
  loops: comparison.lessEqual,
}
export const select: Operation<'select'> = { op: 'select', emit: wasmComparison.select, loops: comparison.select }

export const sqrt: Operation<'sqrt'> = { op: 'sqrt', emit: wasmArithmetic.sqrt, loops: functions.sqrt }
export const floor: Operation<'floor'> = { op: 'floor', emit: wasmArithmetic.floor, loops: functions.floor }
export const ceil: Operation<'ceil'> = { op: 'ceil', emit: wasmArithmetic.ceil, loops: functions.ceil }
export const round: Operation<'round'> = { op: 'round', emit: wasmArithmetic.round, loops: functions.round }

/** Conversions between numbers and truth values of every type; those of 16-bit floats are always there. */
export const cast: Operation<'cast'> = { op: 'cast', emit: wasmCast, loops: { cast: conversion } }

/** What the functions computed in float64 are made of: exp, log, tanh, sigmoid, pow. */
export const float64Functions: { readonly [P in Float64Primitive]: Operation<P> } = {
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
  withSign: { op: 'withSign', emit: wasmBits.withSign, loops: functions.withSign },
  power2: { op: 'power2', emit: wasmBits.power2, loops: functions.power2 },
  exponent: { op: 'exponent', emit: wasmBits.exponent, loops: functions.exponent },
  mantissa: { op: 'mantissa', emit: wasmBits.mantissa, loops: functions.mantissa },
  high: { op: 'high', emit: wasmBits.high, loops: functions.high },
}

/** Everything that a program may hold. */
export const all: Operations = [
  { sign, min, max, floorDiv, rem, mod, power, xor, shl, shr, lessEqual, sqrt, floor, ceil },
  float64Functions,
]
