// Calls that are kept: a call says where its arrays are and runs its tasks.
import type { Storage, TypedArray } from '../../../dtype/dtype.ts'
import type { Describing, RecordedCall } from '../../recordings.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import type { MachineCode } from './code.ts'
import { writeWide } from './parameters.ts'
import { recordCall } from './recorder.ts'

/** Gives the memory of calls back that nobody can make any more. */
const freed = new FinalizationRegistry<() => void>((free) => free())

export function keptCall(
  code: MachineCode,
  backend: WebAssemblyBackend,
  describe: Describing,
): RecordedCall | undefined {
  const steps = recordCall(code, backend, describe)
  if (steps === undefined) return undefined
  // All of them, because some hold what they point at.
  const { tasks, words, pointers, widths, free } = steps
  const { runner } = backend
  const begins: number[] = []
  const run = (storages: readonly Storage[], shifts: readonly number[]): boolean => {
    for (let i = 0; i < storages.length; i++) {
      const array = storages[i] as TypedArray
      begins[i] = code.addressOf(array.buffer) + array.byteOffset + shifts[i]! * widths[i]!
    }
    for (const { word, into, value } of pointers) {
      if (typeof into === 'number') writeWide(words, word, begins[into]! + value)
    }
    for (const { task, elements } of tasks) if (!runner.run(task, elements)) return false
    return true
  }
  const call: RecordedCall = {
    run,
    release() {
      if (freed.unregister(call)) free()
    },
  }
  freed.register(call, free, call)
  return call
}
