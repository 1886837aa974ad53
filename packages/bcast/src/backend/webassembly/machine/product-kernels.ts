// Kernels of products, what they are told, and the tasks that they make.
import type { DType, Storage, TypedArray } from '../../../dtype/dtype.ts'
import type { Placed } from '../../../tensor/placed.ts'
import type { ProductHome } from '../gemm/scratch.ts'
import type { Kernel } from '../kernels.ts'
import type { Runner, TaskPointer } from '../task.ts'
import { type MachineCode, type MadeKernel, needed, numbered, type ProductKernel } from './code.ts'
import type { Lying } from './lying.ts'
import { TASK_BYTES, writeWide } from './parameters.ts'
import { shareTask } from './share.ts'

/** What the parts of a task are told. */
export class Told {
  readonly at: number
  /** Bytes of a part. */
  readonly size: number
  readonly parts: number
  /** Where parts point. */
  readonly pointers: TaskPointer[] = []
  readonly #words: Int32Array

  constructor(buffer: ArrayBufferLike, at: number, parts: number, size: number) {
    this.at = at
    this.size = size
    this.parts = parts
    this.#words = new Int32Array(buffer, at, (parts * size) / 4)
  }

  write(part: number, offset: number, value: number): void {
    writeWide(this.#words, (part * this.size + offset) / 4, value)
  }

  /** Writes an address in an array, or in scratch memory. */
  point(part: number, offset: number, address: number, array?: Storage): void {
    if (part === 0) this.pointers.push({ at: offset, array })
    this.write(part, offset, address)
  }

  /** Writes a factor as an element of a type. */
  element(part: number, offset: number, type: DType, value: number): void {
    const { buffer, byteOffset } = this.#words
    const view = new DataView(buffer, byteOffset + part * this.size + offset, 8)
    if (type === 'float32') view.setFloat32(0, value, true)
    else if (type === 'float64') view.setFloat64(0, value, true)
    else view.setBigInt64(0, BigInt(value), true)
  }
}

export class ProductKernels {
  readonly #code: MachineCode
  readonly #backend: ProductHome
  /** Where the arena begins. */
  readonly home: number

  constructor(code: MachineCode, backend: ProductHome) {
    this.#code = code
    this.#backend = backend
    this.home = code.addressOf(backend.shared.kernels.home.memory.buffer)
  }

  /** Where a matrix lies; what is none has no steps. */
  lying({ storage, offset, strides }: Placed): Lying {
    const array = storage as TypedArray
    const size = array.BYTES_PER_ELEMENT
    const at = this.#code.addressOf(array.buffer) + array.byteOffset + offset * size
    const [rows, columns] = strides.length === 2 ? strides : [0, 0]
    return { at, steps: [rows! * size, columns! * size], array: storage }
  }

  parameters(runner: Runner, parts: number, size: number): Told {
    // Asking for room may make the arena grow, which makes another buffer of it.
    const at = runner.parameters(parts * size + TASK_BYTES)
    return new Told(this.#backend.arena.buffer, at, parts, size)
  }

  #made(kernel: ProductKernel): (Kernel & MadeKernel) | undefined {
    const { kernels } = this.#backend.shared
    return numbered(kernels, this.#code.product(kernel, kernels.home.memory.buffer))
  }

  /** Whether the system takes its code. */
  has(kernel: ProductKernel): boolean {
    return this.#made(kernel) !== undefined
  }

  run(runner: Runner, kernel: ProductKernel, told: Told, elements: number): void {
    const { buffer } = this.#backend.shared.kernels.home.memory
    const { parts, at: parametersAt, size: parametersSize, pointers } = told
    const task = { ...needed(this.#made(kernel)), parts, parametersAt, parametersSize }
    const behind = parametersAt + parts * parametersSize
    const share = (wanted: number): number | undefined => shareTask(this.#code, buffer, task, behind, wanted)
    runner.run({ ...task, pointers, share }, elements)
  }
}
