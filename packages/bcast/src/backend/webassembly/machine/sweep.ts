// Several kernels, one behind the other, over some rows, then over the next, in one task of machine code: what they leave
// for each other stays in the caches of the core that computes it, and threads meet once, at the end.
import type { Storage, TypedArray } from '../../../dtype/dtype.ts'
import type { RowSweep } from '../../recordings.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import type { Kernel } from '../kernels.ts'
import type { MachineCode, MadeKernel } from './code.ts'
import { SEQUENCE, TASK_BYTES, writeWide } from './parameters.ts'
import type { Recorded } from './recorder.ts'
import { shareTask } from './share.ts'

/** Parts for each thread, so that one that is late has fewer. */
const PARTS = 4
const MAX_PARTS = 255

const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64

/** Runs steps as often as wanted; false, having done nothing, without room. */
export function runSequence(
  code: MachineCode,
  backend: WebAssemblyBackend,
  kernel: Kernel & MadeKernel,
  { times, elements }: RowSweep,
  { kernels, told, pointers, scratch, places }: Recorded,
  storages: readonly Storage[],
  shifts: readonly number[],
): boolean {
  const { arena } = backend
  const moving = pointers.filter(({ into }) => typeof into === 'number' && places[into]!.step !== 0)
  const tableBytes = SEQUENCE.entries + (kernels.length + moving.length) * SEQUENCE.entrySize
  const size = aligned(tableBytes) + told.byteLength + scratch
  const { threads } = backend
  const parts = Math.min(times, MAX_PARTS, threads > 1 ? PARTS * threads : 1)
  const bytes = parts * size + TASK_BYTES
  const at = arena.allocate(bytes)
  if (at === undefined) return false
  try {
    // Read behind that, because the arena may have grown.
    const { buffer } = arena
    const base = code.addressOf(buffer)
    const begins = (storages as readonly TypedArray[]).map(
      (array, i) => code.addressOf(array.buffer) + array.byteOffset + shifts[i]! * places[i]!.width,
    )
    for (let part = 0; part < parts; part++) {
      const from = Math.floor((part * times) / parts)
      const count = Math.floor(((part + 1) * times) / parts) - from
      const table = at + part * size
      const toldAt = table + aligned(tableBytes)
      const scratchAt = base + toldAt + told.byteLength
      const words = new Int32Array(buffer, toldAt, told.length)
      words.set(told)
      for (const { word, into, value } of pointers) {
        const begin =
          into === 'address' ? 0 : into === 'scratch' ? scratchAt : begins[into]! + from * places[into]!.step
        writeWide(words, word, begin + value)
      }
      const entries = new Int32Array(buffer, table, tableBytes / 4)
      writeWide(entries, SEQUENCE.times / 4, count)
      writeWide(entries, SEQUENCE.kernels / 4, kernels.length)
      writeWide(entries, SEQUENCE.moves / 4, moving.length)
      let entry = SEQUENCE.entries / 4
      const put = (first: number, second: number): void => {
        writeWide(entries, entry, first)
        writeWide(entries, entry + 2, second)
        entry += SEQUENCE.entrySize / 4
      }
      for (const { address, parametersAt } of kernels) put(address, toldAt + parametersAt)
      for (const { word, into } of moving) put(base + toldAt + 4 * word, places[into as number]!.step)
    }
    const task = { ...kernel, parts, parametersAt: at, parametersSize: size }
    const share = (wanted: number): number | undefined => shareTask(code, buffer, task, at + parts * size, wanted)
    return backend.runner.run({ ...task, share }, elements)
  } finally {
    arena.free(at, bytes)
  }
}
