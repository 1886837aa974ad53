// A worker thread: waits at a shared control block, takes parts of the current task one by one, runs them. It never
// waits for a message, because the thread that hands out tasks may be inside a synchronous call; kernels come as bytes
// in the shared memory. The build makes a script of it, without imports, that is a file and a text (worker-text.ts).
import type { WasmPlatform } from '../../platform.ts'
import * as CONTROL from './control.ts'
import type { FirstMessage } from './protocol.ts'

type Kernel = (parametersAt: number) => number

/** What is global where a thread runs. */
interface Surroundings {
  readonly WebAssembly: WasmPlatform
  readonly process?: { getBuiltinModule?(name: 'node:worker_threads'): { readonly workerData?: FirstMessage } }
  onmessage: (event: { readonly data: FirstMessage }) => void
  postMessage(message: number): void
}

const here = globalThis as unknown as Surroundings

const PAGE = 65_536
/** Kernels kept; forgotten ones are compiled again. */
const MAX_KERNELS = 256
/** How often to look for the next task before sleeping: tasks often come in a row, and waking up takes longer. */
const LOOKS = 20_000

function serve({ memory, control, number }: FirstMessage): never {
  const { Instance, Module } = here.WebAssembly
  const remainder = (a: number, b: number): number => a % b
  const words = new Int32Array(memory.buffer, control, CONTROL.BYTES / 4)
  const kernels = new Map<number, Kernel>()

  function kernelOf(id: number): Kernel {
    // Growing by nothing makes this thread see what another has grown.
    if (memory.buffer.byteLength < words[CONTROL.pages]! * PAGE) memory.grow(0)
    let run = kernels.get(id)
    if (run === undefined) {
      // The bytes are copied: compiling from shared memory is not allowed.
      const bytes = new Uint8Array(memory.buffer, words[CONTROL.bytesAt], words[CONTROL.bytesLength]).slice()
      // A module begins with a zero; anything else is a text that gives machine code.
      run = (
        bytes[0] === 0
          ? new Instance(new Module(bytes), { bcast: { memory, remainder } }).exports['run']
          : new Function(String.fromCharCode(...bytes))()
      ) as Kernel
      if (kernels.size >= MAX_KERNELS) kernels.clear()
      kernels.set(id, run)
    }
    return run
  }

  /** Goes on after the last part of a step of a table: to the next step, or to the end where there is none or one failed. */
  function advance(): void {
    if (words[CONTROL.stepsLeft] === 0 || words[CONTROL.fault] !== 0 || words[CONTROL.crashed] !== 0) {
      Atomics.add(words, CONTROL.ended, 1)
      Atomics.notify(words, CONTROL.ended)
      return
    }
    const step = new Int32Array(memory.buffer, words[CONTROL.nextStep], CONTROL.STEP_WORDS)
    const parts = step[CONTROL.STEP_WORDS - 1]!
    words.set(step.subarray(0, CONTROL.STEP_WORDS - 1), CONTROL.kernel)
    words[CONTROL.parts] = parts
    words[CONTROL.stepsLeft]! -= 1
    words[CONTROL.nextStep]! += step.byteLength
    Atomics.store(words, CONTROL.done, 0)
    Atomics.store(words, CONTROL.ticket, ((Atomics.load(words, CONTROL.ticket) & ~0xff) + 0x100) | parts)
    Atomics.notify(words, CONTROL.ticket)
  }

  let looks = 0
  for (;;) {
    // The low byte of the ticket is the number of parts not yet taken, the rest counts tasks: taking a part succeeds
    // only while the task is still the one looked at, and while a part is out its task stays as it is.
    const ticket = Atomics.load(words, CONTROL.ticket)
    const left = ticket & 0xff
    if (number >= words[CONTROL.threads]! || (left === 0 && looks++ >= LOOKS)) {
      Atomics.wait(words, CONTROL.ticket, ticket)
      looks = 0
    } else if (left > 0 && Atomics.compareExchange(words, CONTROL.ticket, ticket, ticket - 1) === ticket) {
      try {
        const run = kernelOf(words[CONTROL.kernel]!)
        const fault = run(words[CONTROL.parametersAt]! + (left - 1) * words[CONTROL.parametersSize]!)
        if (fault !== 0) Atomics.store(words, CONTROL.fault, 1)
      } catch {
        Atomics.store(words, CONTROL.crashed, 1)
      }
      // Read while the part is out: afterwards another task may be there.
      const parts = words[CONTROL.parts]
      const done = Atomics.add(words, CONTROL.done, 1) + 1
      if (done === parts) advance()
      else Atomics.notify(words, CONTROL.done)
      looks = 0
    }
  }
}

// Node has the first message ready; a page sends it, and hears that it has come.
const given = here.process?.getBuiltinModule?.('node:worker_threads').workerData
if (given) serve(given)
else
  here.onmessage = ({ data }) => {
    here.postMessage(0)
    serve(data)
  }
