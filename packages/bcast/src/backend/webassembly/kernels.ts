// Compiled kernels by program and signature. They live as long as their program does, and the oldest go first when there
// are many.
import { EngineError } from '../../errors/index.ts'
import type { Program } from '../../expr/ir.ts'
import { formatSignature, type Signature } from '../../plan/signature.ts'
import { codeOf, type Instructions } from '../instructions.ts'
import type { WasmMemory, WasmPlatform } from '../platform.ts'
import { compileKernel } from './codegen/kernel.ts'

/** Runs the loops described at an address of the kernels' memory; gives 1 when an element had no value. */
export type KernelFunction = (parameters: number) => number

export interface Kernel {
  readonly run: KernelFunction
  /** Names the kernel for all threads. */
  readonly id: number
  /** A module of WebAssembly, or a text that gives machine code. */
  readonly bytes: Uint8Array
}

/** Kernels kept; a forgotten one is compiled again. */
const MAX_KERNELS = 1024

/** What kernels import for remainders of floats. */
const remainder = (a: number, b: number): number => a % b

/** A trap means that some elements were not computed. */
const surfacing =
  (run: KernelFunction): KernelFunction =>
  (parameters) => {
    try {
      return run(parameters)
    } catch (cause) {
      throw new EngineError('a kernel failed; the result is incomplete', { cause })
    }
  }

/** The memory that kernels run in, as they must declare it. */
export interface KernelMemory {
  readonly memory: WasmMemory
  readonly shared: boolean
  /** In pages. */
  readonly maximum: number
}

export class Kernels {
  readonly #platform: WasmPlatform
  /** The memory that they run in. */
  readonly home: KernelMemory
  readonly #ready = new WeakMap<Program, Map<string, Kernel>>()
  /** What forgets a kernel, oldest first. */
  readonly #oldest: (() => void)[] = []
  #compiled = 0

  constructor(platform: WasmPlatform, home: KernelMemory) {
    this.#platform = platform
    this.home = home
    // The smallest module there is: where compiling is not allowed, this says so.
    new platform.Module(new Uint8Array([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))
  }

  get(program: Program, signature: Signature, instructions: Instructions): Kernel {
    let bySignature = this.#ready.get(program)
    if (bySignature === undefined) this.#ready.set(program, (bySignature = new Map()))
    const key = formatSignature(signature)
    let ready = bySignature.get(key)
    if (ready === undefined) {
      const emitterOf = (op: Parameters<typeof codeOf>[1]) => codeOf(instructions, op).webassembly
      ready = this.load(compileKernel(program, signature, emitterOf, this.home))
      const kept = bySignature.set(key, ready)
      this.#oldest.push(() => kept.delete(key))
      if (this.#oldest.length > MAX_KERNELS) this.#oldest.shift()!()
    }
    return ready
  }

  /** A number that names a kernel for all threads. */
  nextId(): number {
    return this.#compiled++
  }

  /** Makes the bytes of a kernel ready to run. */
  load(bytes: Uint8Array): Kernel {
    const { Instance, Module } = this.#platform
    const instance = new Instance(new Module(bytes), { bcast: { memory: this.home.memory, remainder } })
    return { run: surfacing(instance.exports['run'] as KernelFunction), id: this.nextId(), bytes }
  }
}
