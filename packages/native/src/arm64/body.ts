// The code inside the loops: what is the same along a row, once for each block of rows, and one pass of the inner loop.
import {
  type DType,
  type Instruction,
  WIDE_PARAMETERS as PARAMETERS,
  type Program,
  type Signature,
  without,
} from 'bcast/kernels'
import { emitRows } from '../machine/emission.ts'
import { bytesOf } from '../machine/types.ts'
import type { Assembler } from './assembler.ts'
import { maskBytes, toMask } from './casts.ts'
import type { StackFrame } from './frame.ts'
import { emitInstruction } from './instructions.ts'
import { type Memory, X0, X16, X17 } from './registers.ts'
import type { Step, Virtual } from './steps.ts'
import { BYTES, type Vector, Writer } from './vectors.ts'

/** Registers that point to rows, where loops take no others. */
const POINTERS = [2, 3, 4, 5, 6, 7, 8, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28]

/** An operand in a row of a block: where it has come to is in a register, or on the stack. */
export interface Pointer {
  readonly operand: number
  readonly row: number
  readonly register: number | undefined
  readonly place: Memory
  /** What a partial pass copies its elements to. */
  readonly buffer: Memory
  /** Where its step is told, if it is more than an element. */
  readonly step: Memory | undefined
}

/** An operand that stands still in a row, as a value and the place where it lies in every lane. */
export interface Splat {
  readonly operand: number
  readonly row: number
  readonly value: Virtual
}

/** A part of the result, and its place for code that may read a pointer first. */
interface Store {
  readonly value: Virtual
  readonly placed: (asm: Assembler) => Memory
}

/** A pass computes whole vectors, or as many elements as are left. */
type Pass = 'whole' | 'partial'

export interface BodyOptions {
  /** Whether results go past the caches, because nobody reads them soon. */
  readonly streams?: boolean
  /** Elements of a vector, where somebody else says how many. */
  readonly lanes?: number
  /** Registers that may point to rows. */
  readonly registers?: readonly number[]
  /** The register that counts the elements of a row that are done, where pointers stay at its first. */
  readonly at?: number
  /** Whether results are stored as elements are read; they have pointers then. */
  readonly stores?: boolean
}

/** How many elements a vector has: those of 4 bytes fill a register, those of 8 where there are no smaller ones. */
function lanesOf({ code }: Program): number {
  const widths = code.filter(({ dtype }) => dtype !== 'bool').map(({ dtype }) => bytesOf(dtype))
  const large = widths.filter((width) => width >= 4)
  return BYTES / (large.length > 0 ? Math.min(...large) : Math.max(1, ...widths))
}

export class Body {
  readonly w: Writer
  /** Types of the operands, the result's last. */
  readonly dtypes: readonly DType[]
  readonly signature: Signature
  readonly pointers: readonly Pointer[]
  readonly splats: Splat[] = []
  readonly #code: readonly Instruction[]
  readonly #streams: boolean
  readonly #at: number | undefined
  /** Instructions that give the same along a row, and in every row of a block. */
  readonly #uniform: readonly boolean[]
  readonly #still: readonly boolean[]
  /** What is the same along a row, for each row of a block. */
  readonly #hoisted: readonly (readonly Vector[])[]
  readonly hoistedSteps: readonly Step[]

  constructor(
    program: Program,
    signature: Signature,
    { streams = false, lanes = lanesOf(program), registers = POINTERS, at, stores = true }: BodyOptions,
    frame: StackFrame,
  ) {
    this.w = new Writer(lanes)
    this.signature = signature
    this.#code = program.code
    this.#streams = streams
    this.#at = at
    this.dtypes = [...program.inputs, program.code.at(-1)!.dtype]
    this.#uniform = without(this.#code, (input) => signature.motions[input] !== 'splat')
    this.#still = without(this.#code, (input) => !signature.still[input])
    const moved = stores ? this.dtypes : program.inputs
    const moving = moved.flatMap((dtype, operand) =>
      signature.motions[operand] === 'splat'
        ? []
        : Array.from({ length: signature.still[operand] ? 1 : signature.rows }, (_, row) => ({ operand, row, dtype })),
    )
    this.pointers = moving.map(({ operand, row, dtype }, i) => ({
      operand,
      row,
      register: registers[i],
      place: frame.room(8),
      buffer: frame.room(this.w.lanes * bytesOf(dtype)),
      step:
        signature.motions[operand] === 'strided'
          ? { base: X0, displacement: PARAMETERS.operands + operand * PARAMETERS.operandSize + 8 }
          : undefined,
    }))
    this.#hoisted = Array.from({ length: signature.rows }, (): Vector[] => [])
    this.#emit(this.#hoisted as Vector[][], this.#uniform, (input, row) => this.#splat(input, row))
    this.hoistedSteps = this.w.steps
  }

  /** Writes the instructions that are `wanted` for every row of a block. */
  #emit(values: readonly Vector[][], wanted: readonly boolean[], load: (input: number, row: number) => Vector): void {
    const loaded = new Map<string, Vector>()
    const loadOnce = (input: number, row: number): Vector => {
      const key = `${input} ${row}`
      let vector = loaded.get(key)
      if (vector === undefined) loaded.set(key, (vector = load(input, row)))
      return vector
    }
    emitRows({ code: this.#code, wanted, still: this.#still }, values, (i, own, row) =>
      emitInstruction(this.w, this.#code, i, own, (input) => loadOnce(input, row)),
    )
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
    const others = this.#uniform.map((is) => !is)
    const values = this.#hoisted.slice(0, rows).map((own) => [...own])
    this.#emit(values, others, (input, row) => this.#load(input, row, i, pass))
    return values.map((own) => own[this.#code.length - 1]!)
  }

  /** The steps of a pass over `vectors` vectors of each row. */
  steps(pass: Pass, vectors: number): readonly Step[] {
    const { w, signature } = this
    w.steps = []
    const waiting = new Map<number, Store>()
    for (let i = 0; i < vectors; i++) {
      const results = this.results(i, pass, signature.rows)
      for (const [row, result] of results.entries()) this.#store(result, row, i, pass, waiting)
    }
    for (const store of waiting.values()) this.#storeAlone(store, BYTES)
    return w.steps
  }

  /** Bytes of a vector of an operand that lie in one register. */
  #bytes(operand: number): number {
    return Math.min(BYTES, this.w.lanes * bytesOf(this.dtypes[operand]!))
  }

  #pointer(operand: number, row: number): Pointer {
    const isStill = this.signature.still[operand] === true
    return this.pointers.find((each) => each.operand === operand && (isStill || each.row === row))!
  }

  /** Gives the place of part `part` of vector `i` of an operand in a row, to code that may read a pointer first. */
  #placed(operand: number, row: number, [i, part]: readonly [number, number], pass: Pass): Store['placed'] {
    const { register, place, buffer } = this.#pointer(operand, row)
    const width = bytesOf(this.dtypes[operand]!)
    const shift = part * BYTES + i * this.w.lanes * width
    if (pass === 'partial') return () => ({ base: buffer.base, displacement: buffer.displacement + shift })
    if (this.#at !== undefined) {
      return (asm) => {
        // The parts of a vector follow each other, and what lies between changes no general register.
        if (part === 0) {
          if (register === undefined) asm.load(X16, place)
          asm.addShifted(X16, register ?? X16, this.#at!, Math.log2(width))
        }
        return { base: X16, displacement: shift }
      }
    }
    if (register !== undefined) return () => ({ base: register, displacement: shift })
    return (asm) => {
      asm.load(X16, place)
      return { base: X16, displacement: shift }
    }
  }

  #load(operand: number, row: number, i: number, pass: Pass): Vector {
    const { w } = this
    const dtype = this.dtypes[operand]!
    const width = bytesOf(dtype)
    const isGathered = pass === 'whole' && this.signature.motions[operand] === 'strided'
    const parts = Array.from({ length: w.parts(width) }, (_, part) => {
      if (isGathered) return this.#gather(this.#pointer(operand, row), width)
      const placed = this.#placed(operand, row, [i, part], pass)
      return w.step({ reads: [], write: (asm, to) => asm.loadVector(to, placed(asm), this.#bytes(operand)) })
    })
    const vector = { width, parts, uniform: false }
    return dtype === 'bool' ? toMask(w, vector, 'uint8') : vector
  }

  /** Elements that lie apart, one by one; their pointer moves on with them. */
  #gather({ register, place, step }: Pointer, width: number): Virtual {
    const { w } = this
    return w.step({
      reads: [],
      write: (asm, to) => {
        asm.load(X17, step!)
        if (register === undefined) asm.load(X16, place)
        for (let lane = 0; lane < w.perPart(width); lane++) asm.loadLane(to, lane, width, register ?? X16, X17)
        if (register === undefined) asm.store(place, X16)
      },
    })
  }

  /** What whole passes store past the caches goes there in pairs of registers: the first of two waits for the other. */
  #store(result: Vector, row: number, i: number, pass: Pass, waiting: Map<number, Store>): void {
    const { w } = this
    const last = this.dtypes.length - 1
    const { width, parts, uniform } = this.dtypes[last] === 'bool' ? maskBytes(w, result) : result
    const bytes = this.#bytes(last)
    for (let part = 0; part < w.parts(width); part++) {
      const store = { value: parts[uniform ? 0 : part]!, placed: this.#placed(last, row, [i, part], pass) }
      const first = waiting.get(row)
      if (!(this.#streams && pass === 'whole' && bytes === BYTES)) this.#storeAlone(store, bytes)
      else if (first === undefined) waiting.set(row, store)
      else {
        waiting.delete(row)
        const reads = [first.value, store.value]
        w.steps.push({ reads, write: (asm, _, [a, b]) => asm.storePast(a!, b!, first.placed(asm)) })
      }
    }
  }

  #storeAlone({ value, placed }: Store, bytes: number): void {
    this.w.steps.push({ reads: [value], write: (asm, _, [a]) => asm.storeVector(placed(asm), a!, bytes) })
  }

  /** Moves pointers on by so many elements, which a whole pass has computed. */
  advance(asm: Assembler, elements: number): void {
    for (const { operand, register, place, step } of this.pointers) {
      if (step !== undefined) continue
      const bytes = elements * bytesOf(this.dtypes[operand]!)
      if (register === undefined) asm.load(X16, place)
      const at = register ?? X16
      asm.address(at, { base: at, displacement: bytes })
      if (register === undefined) asm.store(place, X16)
    }
  }
}
