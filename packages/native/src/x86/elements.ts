// What a program computes, as vectors over registers without number: what is the same along a row, once for each block of
// rows, and vectors of elements behind each other. Kernels differ in what they do with them.
import type { DType, Instruction, Program, Signature } from 'bcast/kernels'
import { toMask } from './casts.ts'
import type { VectorName } from './forms.ts'
import type { StackFrame } from './frame.ts'
import { emitInstruction } from './instructions.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBX, RCX, RSI } from './registers.ts'
import type { Step, VectorStep, Virtual } from './steps.ts'
import { BYTES, bytesOf, type Level, type Pass, type Vector, Writer } from './vectors.ts'

/** The register that counts the elements of a row that are done. */
export const AT: number = RCX

/** The masks of lanes that count in a partial pass: of the first register of a vector, and of the second. */
export const COUNTED: readonly [number, number] = [1, 2]

/** Registers that point to rows. */
export const POINTERS: readonly number[] = [RBX, RSI, R8, R9, R10, R11, R12, R13, R14, R15]

/** An operand in a row of a block: where its elements begin is in a register, or on the stack. */
export interface Pointer {
  readonly operand: number
  readonly row: number
  readonly register: number | undefined
  readonly place: Memory
  /** What a partial pass without masks copies its elements to. */
  readonly buffer: Memory | undefined
}

/** An operand that stands still in a row, as a value and the place where it lies in every lane. */
export interface Splat {
  readonly operand: number
  readonly row: number
  readonly value: Virtual
}

/** How many elements a vector has: those of 4 bytes fill a register, those of 8 where there are no smaller ones. */
export function lanesOf({ code }: Program, level: Level): number {
  const widths = code.filter(({ dtype }) => dtype !== 'bool').map(({ dtype }) => bytesOf(dtype))
  const large = widths.filter((width) => width >= 4)
  return BYTES[level] / (large.length > 0 ? Math.min(...large) : Math.max(1, ...widths))
}

/** Instructions of which no operand has what `has` asks of an input. */
function without(code: readonly Instruction[], has: (input: number) => boolean): boolean[] {
  const result: boolean[] = []
  for (const { op, args, value } of code) {
    result.push(op === 'input' ? !has(value as number) : args.every((arg) => result[arg]))
  }
  return result
}

/** Bytes of a line of the cache. */
const LINE = 64

/** How a kernel reads its operands. */
export interface Reading {
  readonly level: Level
  /** Elements of a vector. */
  readonly lanes: number
  readonly signature: Signature
  /** Types of the operands that have pointers: the program's inputs first. */
  readonly dtypes: readonly DType[]
  /** Registers that point to rows. */
  readonly registers: readonly number[]
}

export class Elements {
  readonly w: Writer
  readonly dtypes: readonly DType[]
  /** How many of them are read. */
  readonly inputs: number
  readonly signature: Signature
  readonly pointers: readonly Pointer[]
  readonly splats: Splat[] = []
  readonly #code: readonly Instruction[]
  /** Instructions that give the same along a row, and in every row of a block. */
  readonly #uniform: readonly boolean[]
  readonly #still: readonly boolean[]
  /** What is the same along a row, for each row of a block. */
  readonly #hoisted: readonly (readonly Vector[])[]
  readonly hoistedSteps: readonly Step[]
  /** How many bytes ahead of what is read lines of the cache are asked for; none where it is 0. */
  ahead = 0

  constructor({ code, inputs }: Program, { level, lanes, signature, dtypes, registers }: Reading, frame: StackFrame) {
    this.w = new Writer(level, lanes, frame)
    this.signature = signature
    this.#code = code
    this.dtypes = dtypes
    this.inputs = inputs.length
    this.#uniform = without(this.#code, (input) => signature.motions[input] !== 'splat')
    this.#still = without(this.#code, (input) => !signature.still[input])
    const moving = this.dtypes.flatMap((_, operand) =>
      signature.motions[operand] === 'splat'
        ? []
        : Array.from({ length: signature.still[operand] ? 1 : signature.rows }, (__, row) => ({ operand, row })),
    )
    this.pointers = moving.map((each, i) => ({
      ...each,
      register: registers[i],
      place: frame.room(8),
      buffer: this.w.isWide ? undefined : frame.room(64),
    }))
    this.#hoisted = Array.from({ length: signature.rows }, (): Vector[] => [])
    this.#emit(this.#hoisted as Vector[][], this.#uniform, (input, row) => this.#splat(input, row))
    this.hoistedSteps = this.w.steps
  }

  /** Writes the instructions that are `wanted` for every row of a block. */
  #emit(values: readonly Vector[][], wanted: readonly boolean[], load: (input: number, row: number) => Vector): void {
    for (const [row, own] of values.entries()) {
      for (let i = 0; i < this.#code.length; i++) {
        if (!wanted[i]) continue
        own[i] =
          row > 0 && this.#still[i]
            ? values[0]![i]!
            : emitInstruction(this.w, this.#code, i, own, (input) => load(input, row))
      }
    }
  }

  #splat(operand: number, row: number): Vector {
    const dtype = this.dtypes[operand]!
    const value = this.w.virtual()
    this.splats.push({ operand, row, value })
    const vector = { width: bytesOf(dtype), parts: [value], uniform: true }
    return dtype === 'bool' ? toMask(this.w, vector, 'uint8') : vector
  }

  /** The program's results in vector `i` of the first rows of a block. */
  results(i: number, pass: Pass, rows: number): readonly Vector[] {
    this.w.pass = pass
    const others = this.#uniform.map((is) => !is)
    const values = this.#hoisted.slice(0, rows).map((own) => [...own])
    this.#emit(values, others, (input, row) => this.#load(input, row, i, pass))
    return values.map((own) => own[this.#code.length - 1]!)
  }

  /** Where part `part` of vector `i` of an operand in a row lies. */
  protected placeOf(
    operand: number,
    row: number,
    i: number,
    part: number,
    pass: Pass,
  ): Pick<VectorStep, 'operand' | 'pointer'> {
    const isStill = this.signature.still[operand] === true
    const { register, place, buffer } = this.pointers.find(
      (each) => each.operand === operand && (isStill || each.row === row),
    )!
    const width = bytesOf(this.dtypes[operand]!)
    const shift = part * BYTES[this.w.level] + i * this.w.lanes * width
    if (pass === 'partial' && buffer !== undefined) {
      return { operand: { ...buffer, displacement: buffer.displacement! + shift } }
    }
    const indexed = { index: AT, scale: width as 1 | 2 | 4 | 8, displacement: shift }
    if (register !== undefined) return { operand: { base: register, ...indexed } }
    return { pointer: place, operand: { base: RAX, ...indexed } }
  }

  #aheadOf(place: Pick<VectorStep, 'operand' | 'pointer'>): Pick<VectorStep, 'operand' | 'pointer' | 'ahead'> {
    if (this.ahead === 0 || place.pointer !== undefined) return place
    const at = place.operand as Memory
    return at.displacement! % LINE === 0
      ? { ...place, ahead: { ...at, displacement: at.displacement! + this.ahead } }
      : place
  }

  #load(operand: number, row: number, i: number, pass: Pass): Vector {
    const { w } = this
    const dtype = this.dtypes[operand]!
    const width = bytesOf(dtype)
    const parts = Array.from({ length: w.parts(width) }, (_, part) =>
      w.step({
        ...this.#aheadOf(this.placeOf(operand, row, i, part, pass)),
        name: moveName(w, width, pass),
        bits: w.bits(width),
        ...(w.isWide && pass === 'partial' ? { mask: COUNTED[part]! } : {}),
      }),
    )
    const vector = { width, parts, uniform: false }
    return dtype === 'bool' ? toMask(w, vector, 'uint8') : vector
  }
}

/** The instruction that moves a register, or what of it elements fill; masks count elements. */
export function moveName(w: Writer, width: number, pass: Pass): VectorName {
  const bytes = w.lanes * width
  if (w.isWide && pass === 'partial') return `vmovdqu${8 * width}` as VectorName
  if (bytes >= 16) return w.isWide ? 'vmovdqu32' : 'vmovdqu'
  if (bytes === 8) return w.isWide ? 'vmovqWide' : 'vmovq'
  return 'vmovd'
}
