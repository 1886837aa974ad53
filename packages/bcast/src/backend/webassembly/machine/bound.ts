// Small calls that repeat, run by machine code: a call writes where its operands lie and runs its kernel. Nothing is copied,
// because operands may lie anywhere.
import { WIDE_PARAMETERS } from '../../../plan/parameters.ts'
import type { Bound, Settled } from '../bound-call.ts'
import type { Kernels } from '../kernels.ts'
import type { Arena } from '../memory/arena.ts'
import { kernelOf, type MachineCode } from './code.ts'
import { wideBytes, writeWide, writeWideParameters } from './parameters.ts'

/** Undefined where it does not pay, or there is no machine code or no room. */
export function bindMachine(
  code: MachineCode,
  kernels: Kernels,
  arena: Arena,
  { job, loops, signature, total, widths, lows, highs }: Settled,
): Bound | undefined {
  const { sizes, strides, shifts } = loops
  const kernel = code.pays(job.program, total) ? kernelOf(code, kernels, job.program, { signature, loops }) : undefined
  const bytes = wideBytes(strides.length, sizes.length)
  const at = kernel && arena.allocate(bytes)
  if (kernel === undefined || at === undefined) return undefined
  const { run } = kernel
  const words = new Int32Array(arena.buffer, at, bytes / 4)
  const operands = strides.map((own, i) => ({ strides: own, width: widths[i]!, address: 0 }))
  writeWideParameters(words, sizes, operands, 1)
  // The arena does not move while it grows.
  const home = code.addressOf(arena.buffer)
  const bound: Bound = {
    total,
    running: false,
    call(arrays, offsets) {
      for (let i = 0; i < arrays.length; i++) {
        const array = arrays[i]!
        const first = offsets[i]!
        let base = home
        if (!arena.holds(array)) {
          // An array that has shrunk is left to the general way, which says so.
          if (first + highs[i]! >= array.length || first + lows[i]! < 0) return undefined
          base = code.addressOf(array.buffer)
        }
        const address = base + array.byteOffset + (first + shifts[i]!) * widths[i]!
        writeWide(words, (WIDE_PARAMETERS.operands + i * WIDE_PARAMETERS.operandSize) / 4, address)
      }
      bound.running = true
      const fault = run(at)
      bound.running = false
      return fault
    },
  }
  freed.register(bound, { arena, at, bytes })
  return bound
}

/** Gives parameter blocks back. */
const freed = new FinalizationRegistry<{ readonly arena: Arena; readonly at: number; readonly bytes: number }>(
  ({ arena, at, bytes }) => arena.free(at, bytes),
)
