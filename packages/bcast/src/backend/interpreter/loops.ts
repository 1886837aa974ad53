// The steps of the interpreter by instruction: loops over a block, one for each kind of register.
import type { DType } from '../../dtype/dtype.ts'
import { realArithmetic } from '../../dtype/real.ts'
import type { Primitive } from '../../expr/ir.ts'
import { classOf, type Register } from './registers.ts'

/** A loop over the first elements of registers, how many comes last; may give the first without a result, or -1. */
export type Loop = (...args: never[]) => unknown

/** A step bound to its registers; it gives what its loop gives. */
export type BlockStep = (n: number) => unknown

/** The step that converts register `a` of type `from` into register `out` of type `to`. */
export type CastStep = (to: DType, from: DType, out: Register, a: Register) => BlockStep

export interface BlockLoops {
  readonly float?: Loop
  /** Integers up to 32 bits, and bool where it has no loop of its own. */
  readonly word?: Loop
  readonly bool?: Loop
  readonly wide?: Loop
  readonly string?: Loop
  readonly real?: Loop
  /** What the conversion of a type is, which depends on both types. */
  readonly cast?: CastStep
  /** Whether a result may lie outside its type's range or precision, so that it must be wrapped or rounded. */
  readonly inexact?: true
}

export interface RealSteps {
  readonly loops: Readonly<Partial<Record<Primitive, Loop>>>
  readonly cast: CastStep
}

let real: RealSteps | undefined

export function provideRealSteps(steps: RealSteps): void {
  real = steps
}

function realSteps(): RealSteps {
  // Says how to load what is missing.
  realArithmetic()
  return real!
}

/** The loop of an instruction on operands of a type, and whether its result must be wrapped or rounded. */
export function loopOf(
  op: Primitive,
  loops: BlockLoops,
  dtype: DType,
): { readonly loop: Loop; readonly inexact: boolean } {
  const own = dtype === 'bool' || dtype === 'string' || dtype === 'real' ? loops[dtype] : undefined
  const loop = own ?? (dtype === 'real' ? realSteps().loops[op] : loops[classOf(dtype) as 'float' | 'word' | 'wide'])
  return { loop: loop!, inexact: loops.inexact === true }
}

/** The step of a conversion that is none between floats. */
export const conversionOf = (loops: () => BlockLoops, to: DType, from: DType): CastStep =>
  to === 'real' || from === 'real' ? realSteps().cast : loops().cast!
