// A module with one exported function `run` over an imported memory. It also imports the remainder of floats, which
// WebAssembly lacks.
import { Assembler, unsigned } from './assembler.ts'
import type { ValueType } from './opcodes.ts'

const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content]
const text = (value: string): number[] => [...unsigned(value.length), ...[...value].map((char) => char.charCodeAt(0))]

export interface MemoryLimits {
  /** Shared between threads; such a memory must name its largest size. */
  readonly shared: boolean
  /** In pages of 64 KiB. */
  readonly maximum: number
}

export function wasmModule(
  parameters: readonly ValueType[],
  results: readonly ValueType[],
  body: readonly number[],
  memory: MemoryLimits,
): Uint8Array<ArrayBuffer> {
  const limits = memory.shared ? [3, 0, ...unsigned(memory.maximum)] : [0, 0]
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [
      2,
      ...[0x60, ...Assembler.types(parameters), ...Assembler.types(results)],
      ...[0x60, ...Assembler.types(['f64', 'f64']), ...Assembler.types(['f64'])],
    ]),
    ...section(2, [2, ...text('bcast'), ...text('memory'), 2, ...limits, ...text('bcast'), ...text('remainder'), 0, 1]),
    ...section(3, [1, 0]),
    // The imported function is number 0, the exported one number 1.
    ...section(7, [1, ...text('run'), 0, 1]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ])
}
