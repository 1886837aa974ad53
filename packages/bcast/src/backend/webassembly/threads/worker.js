// A worker thread: waits at a shared control block, takes parts of the current task one by one, runs them. It never
// waits for a message, because the thread that hands out tasks may be inside a synchronous call; kernels come as bytes
// in the shared memory. The layout of the control block comes with the first message; protocol.ts has it.
const PAGE = 65_536
/** Kernels kept; a forgotten one is compiled again. */
const MAX_KERNELS = 256
/** How often to look for the next task before sleeping: tasks often come in a row, and waking up takes longer. */
const LOOKS = 20_000

const node = globalThis.process?.getBuiltinModule?.('node:worker_threads')
const { memory, control, number, layout, stepWords } =
  node?.workerData ??
  (await new Promise((resolve) => {
    globalThis.onmessage = ({ data }) => resolve(data)
  }))

const {
  ticket: TICKET,
  done: DONE,
  fault: FAULT,
  crashed: CRASHED,
  kernel: KERNEL,
  bytesAt: BYTES_AT,
  bytesLength: BYTES_LENGTH,
  parametersAt: PARAMETERS_AT,
  parametersSize: PARAMETERS_SIZE,
  threads: THREADS,
  pages: PAGES,
  parts: PARTS,
  stepsLeft: STEPS_LEFT,
  nextStep: NEXT_STEP,
  ended: ENDED,
} = layout

const remainder = (a, b) => a % b
const words = new Int32Array(memory.buffer, control, 16)
const kernels = new Map()

function kernelOf(id) {
  // Growing by nothing makes this thread see what another has grown.
  if (memory.buffer.byteLength < words[PAGES] * PAGE) memory.grow(0)
  let run = kernels.get(id)
  if (run === undefined) {
    // The bytes are copied: compiling from shared memory is not allowed.
    const bytes = new Uint8Array(memory.buffer, words[BYTES_AT], words[BYTES_LENGTH]).slice()
    run = new WebAssembly.Instance(new WebAssembly.Module(bytes), { bcast: { memory, remainder } }).exports.run
    if (kernels.size >= MAX_KERNELS) kernels.delete(kernels.keys().next().value)
    kernels.set(id, run)
  }
  return run
}

/** Goes on after the last part of a step of a table: to the next step, or to the end where there is none or one failed. */
function advance() {
  if (words[STEPS_LEFT] === 0 || words[FAULT] !== 0 || words[CRASHED] !== 0) {
    Atomics.add(words, ENDED, 1)
    Atomics.notify(words, ENDED)
    return
  }
  const step = new Int32Array(memory.buffer, words[NEXT_STEP], stepWords)
  const parts = step[stepWords - 1]
  words.set(step.subarray(0, stepWords - 1), KERNEL)
  words[PARTS] = parts
  words[STEPS_LEFT] -= 1
  words[NEXT_STEP] += step.byteLength
  Atomics.store(words, DONE, 0)
  Atomics.store(words, TICKET, ((Atomics.load(words, TICKET) & ~0xff) + 0x100) | parts)
  Atomics.notify(words, TICKET)
}

let looks = 0
for (;;) {
  // The low byte of the ticket is the number of parts not yet taken, the rest counts tasks: taking a part succeeds
  // only while the task is still the one looked at, and while a part is out its task stays as it is.
  const ticket = Atomics.load(words, TICKET)
  const left = ticket & 0xff
  if (number >= words[THREADS] || (left === 0 && looks++ >= LOOKS)) {
    Atomics.wait(words, TICKET, ticket)
    looks = 0
  } else if (left > 0 && Atomics.compareExchange(words, TICKET, ticket, ticket - 1) === ticket) {
    try {
      const fault = kernelOf(words[KERNEL])(words[PARAMETERS_AT] + (left - 1) * words[PARAMETERS_SIZE])
      if (fault !== 0) Atomics.store(words, FAULT, 1)
    } catch {
      Atomics.store(words, CRASHED, 1)
    }
    // Read while the part is out: afterwards another task may be there.
    const parts = words[PARTS]
    const done = Atomics.add(words, DONE, 1) + 1
    if (done === parts) advance()
    else Atomics.notify(words, DONE)
    looks = 0
  }
}
