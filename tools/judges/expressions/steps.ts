// Which step may follow: operators over values that are known, with shapes and types that fit.
import type { Tensor } from 'bcast'
import type { Random } from '../../../testing/random.ts'
import type { CaseDType } from '../case.ts'
import type { FloatDType } from '../values.ts'
import type { Reference, Step } from './expression.ts'
import { meet, multiply } from './shapes.ts'

/** A value that steps can be taken with. */
export interface Known {
  readonly place: number
  readonly tensor: Tensor
  /** How many steps read it. */
  used: number
}

const UNARY = [
  'Neg',
  'Abs',
  'Sign',
  'Sqrt',
  'Floor',
  'Ceil',
  'Round',
  'Exp',
  'Log',
  'Tanh',
  'Sigmoid',
  'Sin',
  'Cos',
  'Atan',
  'Erf',
  'Relu',
  'Reciprocal',
  'Softplus',
  'Identity',
  'LeakyRelu',
  'Elu',
  'Gelu',
  'HardSigmoid',
]
const BINARY = ['Add', 'Sub', 'Mul', 'Mul', 'Div', 'Div', 'Pow', 'Mod', 'FloorMod', 'SquaredDifference']
const VARIADIC = ['Max', 'Min', 'Sum', 'Mean']
const COMPARISONS = ['Less', 'LessOrEqual', 'Greater', 'GreaterOrEqual', 'Equal', 'NotEqual']
const REDUCTIONS = ['sum', 'mean', 'max', 'min', 'prod', 'norm', 'logSumExp', 'sumSquare']

/** Numbers that every type holds. */
const ATTRIBUTES: Readonly<Record<string, readonly object[]>> = {
  LeakyRelu: [{ alpha: 0.25 }, { alpha: -0.5 }],
  Elu: [{}, { alpha: 0.5 }],
  Gelu: [{}, { approximate: 'tanh' }],
  HardSigmoid: [
    { alpha: 1 / 6, beta: 0.5 },
    { alpha: 0.25, beta: 0.5 },
  ],
  Mod: [{ fmod: true }],
}

export const FLOATS: readonly FloatDType[] = ['float64', 'float32', 'float16', 'bfloat16']

const shapeOf = ({ tensor }: Known): readonly number[] => tensor.shape

/** Draws one step over values; undefined where none of the drawn kind fits them. */
export class Steps {
  private readonly random: Random
  private readonly values: readonly Known[]

  constructor(random: Random, values: readonly Known[]) {
    this.random = random
    this.values = values
  }

  draw(): readonly Step[] | undefined {
    const draw = this.random.unit()
    if (draw < 0.25) return this.unary()
    if (draw < 0.53) return this.binary()
    if (draw < 0.73) return this.reduction()
    if (draw < 0.8) return this.variadic()
    if (draw < 0.87) return this.choice()
    if (draw < 0.9) return this.bounded()
    if (draw < 0.92) return this.scaled()
    return draw < 0.97 ? this.product() : this.conversion()
  }

  /** A value of floats: one that nothing reads yet, more often than not. */
  private value(fits: (known: Known) => boolean = () => true): Known | undefined {
    const all = this.values.filter((known) => known.tensor.dtype !== 'bool' && fits(known))
    if (all.length === 0) return undefined
    const unread = all.filter(({ used }) => used === 0)
    return this.random.pick(unread.length > 0 && this.random.chance(0.7) ? unread : all)
  }

  /** Another value of the same type that meets these by broadcasting, or a number. */
  private beside(...known: readonly Known[]): Known | { readonly number: number } {
    const { dtype } = known[0]!.tensor
    const other = this.value(
      (each) => each.tensor.dtype === dtype && meet(...known.map(shapeOf), shapeOf(each)) !== undefined,
    )
    return this.random.chance(0.12) || other === undefined ? { number: this.random.below(17) / 4 - 2 } : other
  }

  /** One that goes onto another and never enlarges it. */
  private onto(x: Known): Known | { readonly number: number } {
    const fits = (each: Known): boolean => {
      const met = each.tensor.dtype === x.tensor.dtype ? meet(shapeOf(x), shapeOf(each)) : undefined
      return met !== undefined && `${met}` === `${shapeOf(x)}`
    }
    const other = this.value(fits)
    return this.random.chance(0.2) || other === undefined ? { number: this.random.below(17) / 4 - 2 } : other
  }

  private apply(op: string, args: readonly (Known | { readonly number: number })[]): Step {
    const attrs = this.random.pick(ATTRIBUTES[op] ?? [{}]) as Readonly<Record<string, unknown>>
    return { kind: 'apply', op, args: args.map(referenceTo), attrs }
  }

  private unary(): readonly Step[] | undefined {
    const x = this.value()
    return x && [this.apply(this.random.pick(UNARY), [x])]
  }

  private binary(): readonly Step[] | undefined {
    const x = this.value()
    if (x === undefined) return undefined
    const pair = [x, this.beside(x)]
    return [this.apply(this.random.pick(BINARY), this.random.chance(0.3) ? pair.reverse() : pair)]
  }

  private variadic(): readonly Step[] | undefined {
    const x = this.value()
    if (x === undefined) return undefined
    const y = this.beside(x)
    const args = [x, y, ...(this.random.chance(0.4) && 'tensor' in y ? [this.beside(x, y)] : [])]
    return [this.apply(this.random.pick(VARIADIC), args)]
  }

  private reduction(): readonly Step[] | undefined {
    const x = this.value()
    if (x === undefined) return undefined
    const op = this.random.pick(REDUCTIONS)
    const { rank } = x.tensor
    const some = [...Array(rank).keys()].filter(() => this.random.chance(0.5))
    const axes = some.map((axis) => (this.random.chance(0.3) ? axis - rank : axis))
    const whole = this.random.chance(0.2)
    return [
      {
        kind: 'reduce',
        op,
        args: [x.place],
        keepdims: this.random.chance(0.6),
        ...(whole ? {} : { axes }),
        ...(op === 'norm' ? { ord: this.random.pick([1, 2] as const) } : {}),
      },
    ]
  }

  private choice(): readonly Step[] | undefined {
    const [a, x] = [this.value(), this.value()]
    if (a === undefined || x === undefined) return undefined
    const b = this.beside(a)
    const condition = meet(shapeOf(a), 'tensor' in b ? shapeOf(b) : [])!
    const y = this.beside(x)
    if (meet(condition, shapeOf(x), 'tensor' in y ? shapeOf(y) : []) === undefined) return undefined
    const compared: Step = { kind: 'compare', op: this.random.pick(COMPARISONS), args: [a, b].map(referenceTo) }
    const sides = this.random.chance(0.5) ? [x, y] : [y, x]
    const args = [this.values.length, ...sides.map(referenceTo)]
    return [compared, { kind: 'apply', op: 'Where', args, attrs: {} }]
  }

  private bounded(): readonly Step[] | undefined {
    const x = this.value()
    return x && [this.apply('Clip', [x, this.onto(x), this.onto(x)])]
  }

  private scaled(): readonly Step[] | undefined {
    const x = this.value()
    return x && [this.apply('PRelu', [x, this.onto(x)])]
  }

  private product(): readonly Step[] | undefined {
    const a = this.value()
    const b = a && this.value(({ tensor: { dtype, shape } }) => dtype === a.tensor.dtype && multiply(shapeOf(a), shape))
    return b && [{ kind: 'matmul', args: [a.place, b.place] }]
  }

  private conversion(): readonly Step[] | undefined {
    const x = this.value()
    return x && [{ kind: 'cast', args: [x.place], to: this.random.pick(FLOATS) as CaseDType }]
  }
}

const referenceTo = (arg: Known | { readonly number: number }): Reference => ('tensor' in arg ? arg.place : arg)
