// A random program: instructions of every kind over operands of every type, of which some have no value for some elements.
import { bitsOf, type DType, type Instruction, isFloat, kindOf, type Primitive, type Program } from 'bcast/kernels'
import type { Random } from '../random.ts'

export const DTYPES: readonly DType[] = [
  ...(['float16', 'bfloat16', 'float32', 'float64'] as const),
  ...(['int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'bool'] as const),
]
const COMPUTED = DTYPES.filter((dtype) => dtype !== 'float16' && dtype !== 'bfloat16')

const TWO: readonly Primitive[] = ['add', 'sub', 'mul', 'min', 'max']
const ONE: readonly Primitive[] = ['neg', 'abs', 'sign']
const BITS: readonly Primitive[] = ['and', 'or', 'xor']
const DIVISIONS: readonly Primitive[] = ['div', 'floorDiv', 'mod', 'rem']
const COMPARISONS: readonly Primitive[] = ['equal', 'less', 'lessEqual']

const NUMBERS = [0, 1, -1, 2, 3, 0.5, -7.5, 100, 65504, 2 ** 31, -(2 ** 31), 1e-40, 1e30]

export class Programs {
  readonly #random: Random
  readonly #code: Instruction[] = []

  constructor(random: Random) {
    this.#random = random
  }

  #push(instruction: Instruction): number {
    return this.#code.push(instruction) - 1
  }

  #op(op: Primitive, dtype: DType, ...args: number[]): number {
    return this.#push({ op, dtype, args })
  }

  #typeOf(value: number): DType {
    return this.#code[value]!.dtype
  }

  #cast(value: number, dtype: DType): number {
    return this.#typeOf(value) === dtype ? value : this.#op('cast', dtype, value)
  }

  #constant(dtype: DType, number: number): number {
    const value = this.#fitted(dtype, number)
    return this.#push({ op: 'constant', dtype, args: [], value })
  }

  /** A number as an element of a type. */
  #fitted(dtype: DType, number: number): number | bigint {
    if (dtype === 'float64') return number
    if (dtype === 'float32') return Math.fround(number)
    if (dtype === 'bool') return number === 0 ? 0 : 1
    const [bits, whole] = [bitsOf(dtype), BigInt(Math.trunc(number))]
    const element = kindOf(dtype) === 'int' ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole)
    return bits === 64 ? element : Number(element)
  }

  /** Some value, mostly a late one. */
  #some(): number {
    const last = this.#code.length - 1
    return this.#random.chance(0.5) ? Math.max(0, last - this.#random.below(4)) : this.#random.below(last + 1)
  }

  #as(dtype: DType): number {
    if (this.#random.chance(0.12)) return this.#constant(dtype, this.#random.pick(NUMBERS))
    return this.#cast(this.#some(), dtype)
  }

  /** Values that functions of bits of floats are made for: positive, neither infinite nor too small. */
  #plain(): number {
    const words = this.#op('or', 'uint16', this.#as('uint16'), this.#constant('uint16', 1))
    return this.#op('sqrt', 'float64', this.#cast(words, 'float64'))
  }

  #step(): void {
    const random = this.#random
    const dtype = random.pick(COMPUTED)
    const one = (): number => this.#as(dtype)
    if (random.chance(0.15)) {
      const from = random.pick(COMPUTED)
      const compared = this.#op(random.pick(COMPARISONS), 'bool', this.#as(from), this.#as(from))
      if (random.chance(0.7)) this.#op('select', dtype, compared, one(), one())
    } else if (dtype === 'bool') {
      if (random.chance(0.2)) this.#op('not', dtype, one())
      else this.#op(random.pick(BITS), dtype, one(), one())
    } else if (isFloat(dtype)) this.#floats(dtype)
    else this.#integers(dtype)
  }

  #floats(dtype: DType): void {
    const random = this.#random
    const one = (): number => this.#as(dtype)
    switch (random.below(5)) {
      case 0:
        this.#op(random.pick(ONE), dtype, one())
        break
      case 1:
        this.#op(random.pick<Primitive>(['sqrt', 'floor', 'ceil', 'round']), dtype, one())
        break
      case 2:
        this.#op(random.pick<Primitive>(['div', 'rem', 'mod']), dtype, one(), one())
        break
      case 3:
        if (dtype === 'float32') {
          // Powers that float32 has.
          const power = this.#op('and', 'int8', this.#as('int8'), this.#constant('int8', 63))
          this.#op('power2', dtype, this.#cast(power, dtype))
        } else if (random.chance(0.3)) this.#op('withSign', dtype, one(), this.#cast(this.#as('int16'), dtype))
        else this.#op(random.pick<Primitive>(['exponent', 'mantissa', 'high']), dtype, this.#plain())
        break
      default:
        this.#op(random.pick(TWO), dtype, one(), one())
    }
  }

  #integers(dtype: DType): void {
    const random = this.#random
    const one = (): number => this.#as(dtype)
    /** Mostly without zeros, so that most programs have a result. */
    const divisor = (): number => (random.chance(0.95) ? this.#op('or', dtype, one(), this.#constant(dtype, 1)) : one())
    switch (random.below(6)) {
      case 0:
        this.#op(random.pick([...ONE, 'not' as const]), dtype, one())
        break
      case 1:
        this.#op(random.pick(BITS), dtype, one(), one())
        break
      case 2:
        this.#op(random.pick(DIVISIONS), dtype, one(), divisor())
        break
      case 3: {
        const amount = this.#op('and', dtype, one(), this.#constant(dtype, bitsOf(dtype) - 1))
        this.#op(random.pick<Primitive>(['shl', 'shr']), dtype, one(), amount)
        break
      }
      case 4: {
        const isWide = bitsOf(dtype) === 64
        const exponents = COMPUTED.filter(
          (each) => !isFloat(each) && each !== 'bool' && (bitsOf(each) === 64) === isWide,
        )
        this.#op('power', dtype, divisor(), this.#as(random.pick(exponents)))
        break
      }
      default:
        this.#op(random.pick(TWO), dtype, one(), one())
    }
  }

  make(): Program {
    const random = this.#random
    const count = random.chance(0.1) ? 5 + random.below(9) : 1 + random.below(4)
    const common = random.pick(DTYPES)
    const inputs = Array.from({ length: count }, () => (random.chance(0.5) ? common : random.pick(DTYPES)))
    for (const [value, dtype] of inputs.entries()) this.#push({ op: 'input', dtype, args: [], value })
    const steps = random.chance(0.1) ? random.below(40) : random.below(6)
    for (let i = 0; i < steps; i++) this.#step()
    const result = random.pick(DTYPES)
    const last = this.#code.length - 1
    // An operand that is the result needs an instruction of its own.
    if (random.chance(0.6) || this.#code[last]!.op === 'input' || this.#code[last]!.op === 'constant') {
      this.#op('cast', result, last)
    }
    return { inputs, code: this.#code }
  }
}
