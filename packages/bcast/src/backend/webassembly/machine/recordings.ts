// What machine code keeps to run over other arrays: some rows of several steps at a time, and calls.
import type { Recordings } from '../../recordings.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import { type MachineCode, numbered } from './code.ts'
import { keptCall } from './kept.ts'
import { recordRows } from './recorder.ts'
import { runSequence } from './sweep.ts'

/**
 * The part of a core's second cache that the rows of one time read and write: what was measured to be best, 128 KiB of
 * 1 MiB; half of it took twice as long for layer normalisation.
 */
const CACHE_SHARE = 8

/**
 * How many times a core's second cache rows have to be to go some at a time: softmax of 32 rows of 4096 took a fifth longer
 * that way, of 4 more than twice as long.
 */
const SMALL = 2

export function recordingsOf(code: MachineCode, backend: WebAssemblyBackend): Recordings | undefined {
  const { arena, shared } = backend
  const kernel = numbered(shared.kernels, code.sequence(arena.buffer))
  if (kernel === undefined) return undefined
  return {
    cache: code.caches.second / CACHE_SHARE,
    least: code.caches.second * SMALL,
    get threads() {
      return backend.threads
    },
    get ready() {
      return !backend.failed
    },
    rows(sweep, describe) {
      const steps = recordRows(code, backend, sweep.times, describe)
      return steps && ((storages, shifts) => runSequence(code, backend, kernel, sweep, steps, storages, shifts))
    },
    call: (describe) => keptCall(code, backend, describe),
  }
}
