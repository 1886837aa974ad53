// The functions as instructions: the algebra over values of a program.
import type { Appending, Value } from '../ir.ts'
import type { Float32Algebra, Float64Algebra } from './algebra.ts'

/** The instructions that they are made of; `cast` brings other types there and back. */
export type Float64Primitive =
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | 'neg'
  | 'abs'
  | 'round'
  | 'less'
  | 'equal'
  | 'and'
  | 'or'
  | 'not'
  | 'select'
  | 'cast'
  | 'withSign'
  | 'power2'
  | 'exponent'
  | 'mantissa'
  | 'high'

export const irAlgebra = (b: Appending<Float64Primitive>): Float64Algebra<Value, Value> => ({
  constant: (value) => b.constant('float64', value),
  add: (x, y) => b.op('add', x, y),
  sub: (x, y) => b.op('sub', x, y),
  mul: (x, y) => b.op('mul', x, y),
  div: (x, y) => b.op('div', x, y),
  neg: (x) => b.op('neg', x),
  abs: (x) => b.op('abs', x),
  withSign: (x, y) => b.op('withSign', x, y),
  round: (x) => b.op('round', x),
  power2: (x) => b.op('power2', x),
  exponent: (x) => b.op('exponent', x),
  mantissa: (x) => b.op('mantissa', x),
  high: (x) => b.op('high', x),
  less: (x, y) => b.compare('less', x, y),
  equal: (x, y) => b.compare('equal', x, y),
  and: (x, y) => b.op('and', x, y),
  or: (x, y) => b.op('or', x, y),
  not: (x) => b.op('not', x),
  select: (c, x, y) => b.select(c, x, y),
})

/** A function of one value of the algebra. */
export type Float64Function = (m: Float64Algebra<Value, Value>, x: Value) => Value

/** A function computed in float64 and rounded to the type of x. */
export const inFloat64 = (b: Appending<Float64Primitive>, x: Value, compute: Float64Function): Value =>
  b.cast(compute(irAlgebra(b), b.cast(x, 'float64')), b.dtype(x))

/** A function computed in float32. */
export const inFloat32 = (
  b: Appending<Float64Primitive>,
  x: Value,
  compute: (m: Float32Algebra<Value, Value>, x: Value) => Value,
): Value => compute({ ...irAlgebra(b), constant: (value) => b.constant('float32', Math.fround(value)) }, x)
