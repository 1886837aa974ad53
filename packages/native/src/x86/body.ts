// The code inside the loops: what is the same along a row, once for each block of rows, and one pass of the inner loop.
import { type DType, type Instruction, type Program, type Signature, without } from 'bcast/kernels'
import { emitRows } from '../machine/emission.ts'
import { maskBytes, toMask } from './casts.ts'
import { counted } from './counts.ts'
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
const POINTERS = [RBX, RSI, R8, R9, R10, R11, R12, R13, R14, R15]

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
  readonly register: number | undefined
  readonly value: Virtual
}

/** How many elements a vector has: those of 4 bytes fill a register, those of 8 where there are no smaller ones. */
export function lanesOf({ code }: Program, level: Level): number {
  const widths = code.filter(({ dtype }) => dtype !== 'bool').map(({ dtype }) => bytesOf(dtype))
  const large = widths.filter((width) => width >= 4)
  return BYTES[level] / (large.length > 0 ? Math.min(...large) : Math.max(1, ...widths))
}

export interface BodyOptions {
  readonly level: Level
  /** Whether results go past the caches, because nobody reads them soon. */
  readonly streams: boolean
  /** Elements of a vector, where they are fewer than fill a register. */
  readonly lanes?: number | undefined
  /** How many bytes further on each operand is read next; 0 where memory need not be asked for it. */
  readonly ahead?: readonly number[] | undefined
  /** Registers that may point to rows, where they are not those of element-wise kernels. */
  readonly registers?: readonly number[]
}

/** Bytes of a line of the cache. */
const LINE = 64

export class Body {
  readonly w: Writer
  /** Types of the operands, the result's last. */
  readonly dtypes: readonly DType[]
  readonly signature: Signature
  readonly pointers: readonly Pointer[]
  readonly splats: Splat[] = []
  readonly #code: readonly Instruction[]
  /** Whether whole passes store past the caches: a vector of the result fills at least the smallest register. */
  readonly streams: boolean
  /** Instructions that give the same along a row, and in every row of a block. */
  readonly #uniform: readonly boolean[]
  readonly #still: readonly boolean[]
  /** What is the same along a row, for each row of a block. */
  readonly #hoisted: readonly (readonly Vector[])[]
  readonly hoistedSteps: readonly Step[]
  /** How many bytes ahead of what is read lines of the cache are asked for; none where it is 0. */
  ahead = 0
  readonly #further: readonly number[]
  readonly #registers: readonly number[]

  constructor(
    program: Program,
    signature: Signature,
    { level, streams, lanes, registers = POINTERS, ahead = [] }: BodyOptions,
    frame: StackFrame,
  ) {
    this.w = new Writer(level, lanes ?? lanesOf(program, level), frame)
    this.signature = signature
    this.#registers = registers
    this.#further = ahead
    this.#code = program.code
    this.dtypes = [...program.inputs, program.code.at(-1)!.dtype]
    this.streams = streams && this.w.lanes * bytesOf(this.dtypes.at(-1)!) >= 16
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
      buffer: this.#isMasked(each.operand) ? undefined : frame.room(64),
    }))
    this.#hoisted = Array.from({ length: signature.rows }, (): Vector[] => [])
    this.#emit(this.#hoisted as Vector[][], this.#uniform, (input, row) => this.#splat(input, row))
    this.hoistedSteps = this.w.steps
  }

  /** Whether a partial pass moves an operand by masks: stores of AVX2 by masks take longer than copies. */
  #isMasked(operand: number): boolean {
    return this.w.isWide || (operand < this.dtypes.length - 1 && bytesOf(this.dtypes[operand]!) >= 4)
  }

  /** Writes the instructions that are `wanted` for every row of a block. */
  #emit(values: readonly Vector[][], wanted: readonly boolean[], load: (input: number, row: number) => Vector): void {
    emitRows({ code: this.#code, wanted, still: this.#still }, values, (i, own, row) =>
      emitInstruction(this.w, this.#code, i, own, (input) => load(input, row)),
    )
  }

  #splat(operand: number, row: number): Vector {
    const dtype = this.dtypes[operand]!
    const value = this.w.virtual()
    const register = this.#registers[this.pointers.length + this.splats.length]
    this.splats.push({ operand, row, register, value })
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

  /** The steps of a pass over `vectors` vectors of each row. */
  steps(pass: Pass, vectors: number): readonly Step[] {
    const { w, signature } = this
    w.steps = []
    for (let i = 0; i < vectors; i++) {
      for (const [row, result] of this.results(i, pass, signature.rows).entries()) this.#store(result, row, i, pass)
    }
    return w.steps
  }

  /** Where part `part` of vector `i` of an operand in a row lies. */
  #place(operand: number, row: number, i: number, part: number, pass: Pass): Pick<VectorStep, 'operand' | 'pointer'> {
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

  #aheadOf(i: number, { operand, pointer }: Pick<VectorStep, 'operand' | 'pointer'>): Pick<VectorStep, 'ahead'> {
    const { base, index, scale, displacement = 0 } = operand as Memory
    const bytes = this.ahead || (this.#further[i] ?? 0)
    if (bytes === 0 || pointer !== undefined || displacement % LINE !== 0) return {}
    return { ahead: { base, index: index!, scale: scale!, displacement: displacement + bytes } }
  }

  #load(operand: number, row: number, i: number, pass: Pass): Vector {
    const { w } = this
    const dtype = this.dtypes[operand]!
    const width = bytesOf(dtype)
    const bits = w.bits(width)
    const parts = Array.from({ length: w.parts(width) }, (_, part) => {
      const place = this.#place(operand, row, i, part, pass)
      if (pass === 'partial' && !w.isWide && this.#isMasked(operand)) {
        const from = counted(w, width as 4 | 8, bits, part)
        return w.step({ ...place, name: width === 4 ? 'vpmaskmovd' : 'vpmaskmovq', bits, from })
      }
      const mask = w.isWide && pass === 'partial' ? { mask: COUNTED[part]! } : {}
      return w.step({ ...place, ...this.#aheadOf(operand, place), name: moveName(w, width, pass), bits, ...mask })
    })
    const vector = { width, parts, uniform: false }
    return dtype === 'bool' ? toMask(w, vector, 'uint8') : vector
  }

  #store(result: Vector, row: number, i: number, pass: Pass): void {
    const { w } = this
    const last = this.dtypes.length - 1
    const vector = this.dtypes[last] === 'bool' ? maskBytes(w, result) : result
    const { width } = vector
    for (let part = 0; part < w.parts(width); part++) {
      w.steps.push({
        ...this.#place(last, row, i, part, pass),
        name: this.streams && pass === 'whole' ? 'vmovntdq' : (`${moveName(w, width, pass)}Store` as VectorName),
        bits: w.bits(width),
        stored: vector.parts[vector.uniform ? 0 : part]!,
        ...(w.isWide && pass === 'partial' ? { mask: COUNTED[part]! } : {}),
      })
    }
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
