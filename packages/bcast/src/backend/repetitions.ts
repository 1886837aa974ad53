// How calls are repeated on each backend that knows a way of its own, by its name: a table of its own, so that only
// programs with sequences carry it.
import type { Backend } from './backend.ts'
import { backends } from './backends.ts'
import { PlainRepetition, type Repetition } from './repeat.ts'
import type { WebAssemblyBackend } from './webassembly/backend.ts'
import { TaskRepetition } from './webassembly/repeat.ts'

const ways: Readonly<Record<string, (backend: Backend, room: number | undefined) => Repetition>> = {
  webassembly: (backend, room) => new TaskRepetition(backend as WebAssemblyBackend, room),
}

/** A repetition without calls, on the backend that is asked first now; `room` is how many bytes it takes at a time. */
export function newRepetition(room?: number): Repetition {
  const first = backends()[0]!
  return ways[first.name]?.(first, room) ?? new PlainRepetition(first)
}
