// Operands as files that every peer reads: reproducible pseudo-random elements, small enough that nothing overflows,
// never denormal, with every bit of the fraction in use.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onnxModel } from './onnx.ts'
import { byteCount, type OperandSpec, type Task } from './task.ts'
import type { Workload } from './workload.ts'

const ONE = 0x3f800000

/** Which of a float32's bits are random, and what is added to them. */
const DRAWN = {
  positive: { mask: 0x00ffffff, base: 0x3f000000 },
  signed: { mask: 0x80ffffff, base: 0x3f000000 },
  small: { mask: 0x80ffffff, base: 0x3d000000 },
  labels: { mask: 0x00010000, base: 0 },
} as const

function bytesOf(spec: OperandSpec, seed: number): Uint8Array {
  const bytes = new ArrayBuffer(Math.ceil(byteCount(spec) / 4) * 4)
  const words = new Uint32Array(bytes)
  let state = (seed * 2_654_435_769) | 1
  const next = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  for (let i = 0; i < words.length; i++) words[i] = next()
  switch (spec.dtype) {
    // Exponents are set so that values lie between 0.5 and 2.
    case 'float32': {
      const { mask, base } = DRAWN[spec.drawn ?? 'positive']
      for (let i = 0; i < words.length; i++) words[i] = (words[i]! & mask) + base
      if (spec.drawn === 'labels') for (let i = 0; i < words.length; i++) words[i] = words[i] === 0 ? 0 : ONE
      break
    }
    case 'float64':
      for (let i = 1; i < words.length; i += 2) words[i] = (words[i]! & 0x001fffff) + 0x3fe00000
      break
    case 'float16':
      for (let i = 0; i < words.length; i++) words[i] = (words[i]! & 0x07ff07ff) + 0x38003800
      break
    case 'bfloat16':
      for (let i = 0; i < words.length; i++) words[i] = (words[i]! & 0x00ff00ff) + 0x3f003f00
      break
    case 'bool':
      for (let i = 0; i < words.length; i++) words[i] = words[i]! & 0x01010101
      break
    case 'int8':
    case 'int64':
      break
  }
  return new Uint8Array(bytes, 0, byteCount(spec))
}

export class OperandFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
  }

  /** The workload as peers are asked it, its files written. */
  task(workload: Pick<Workload, 'op' | 'operands' | 'result' | 'also' | 'axes' | 'foreign'>): Task {
    const { op, operands, result, also = [], axes = [], foreign = false } = workload
    const files = operands.map((operand, i) => {
      const file = join(this.#folder, `${operand.drawn ?? ''}${operand.dtype}-${operand.shape.join('x')}-${i}`)
      if (!existsSync(file)) writeFileSync(file, bytesOf(operand, i + 1))
      return { ...operand, file }
    })
    const model = join(this.#folder, `${op}.onnx`)
    writeFileSync(model, onnxModel({ op, operands, results: [result, ...also], axes }))
    return { op, operands: files, result, also, axes, foreign, model }
  }

  /** A file for a peer's result. */
  get resultFile(): string {
    return join(this.#folder, 'result')
  }

  get referenceFile(): string {
    return join(this.#folder, 'reference')
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
