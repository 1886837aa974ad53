// Threads that run parts of kernels, as x86/threads.ts has them: the code of a thread, and that of whoever shares a task
// with them. What another thread wrote is read by loads that later ones do not pass, and written by stores that earlier
// ones do not; a change of a word is tried until nobody came between.
import { TASK } from 'bcast/kernels'
import { BLOCKED_SIGNALS, PLACES, SHARED_BYTES } from '../machine/task-places.ts'
import { Assembler, type Label } from './assembler.ts'
import { type Memory, SP, X0, X9, X10, X11, X12, X16, X29, X30, ZERO } from './registers.ts'

/** How often a thread looks for the next task before it sleeps, some tens of microseconds. */
const LOOKS = 4000

const FUTEX = 98n
const FUTEX_WAIT_PRIVATE = 128n
const FUTEX_WAKE_PRIVATE = 129n
const RT_SIGPROCMASK = 135n
const SIG_SETMASK = 2n
/** Where the number of a call to the system stands. */
const CALL = 8

/** Registers that calls leave alone: where what is shared lies, the ticket, how often to look, a thread's number. */
const [SHARED, TICKET, LEFT, NUMBER, PARTS, HELPERS, BACK] = [19, 20, 21, 22, 23, 24, 25] as const
const SAVED = [19, 21, 23, 25]
const SAVED_BYTES = 16 * (1 + SAVED.length)

const at = (place: keyof typeof PLACES): Memory => ({ base: SHARED, displacement: PLACES[place] })

function enter(asm: Assembler): void {
  asm.pushPair(X29, X30, SAVED_BYTES).address(X29, { base: SP, displacement: 0 })
  for (const [i, first] of SAVED.entries()) asm.storePair({ base: SP, displacement: 16 * (i + 1) }, first, first + 1)
}

function leave(asm: Assembler): void {
  for (const [i, first] of SAVED.entries()) asm.loadPair(first, first + 1, { base: SP, displacement: 16 * (i + 1) })
  asm.popPair(X29, X30, SAVED_BYTES).ret()
}

/** Reads a place before anything that follows. */
const read = (asm: Assembler, to: number, place: keyof typeof PLACES): Assembler =>
  asm.address(X16, at(place)).loadAcquire(to, X16)

/** Writes a place after everything before; what follows sees that it did. */
const write = (asm: Assembler, place: keyof typeof PLACES, from: number): Assembler =>
  asm.address(X16, at(place)).storeRelease(X16, from).barrier()

/** Adds to a place, which no thread changes meanwhile. */
function add(asm: Assembler, place: keyof typeof PLACES, value: 1 | -1): void {
  const again = asm.label()
  asm.address(X16, at(place)).set(again).loadExclusive(X9, X16)
  if (value === 1) asm.addConstant(X9, X9, 1)
  else asm.subtractConstant(X9, X9, 1)
  asm.storeExclusive(X10, X16, X9).jumpUnlessZero(X10, again).barrier()
}

/** Sleeps at a place as long as its lower word is that of a register. */
function sleep(asm: Assembler, place: keyof typeof PLACES, value: number): void {
  asm.move(2, value).address(X0, at(place)).constant(1, FUTEX_WAIT_PRIVATE).constant(3, 0n)
  asm.constant(CALL, FUTEX).system()
}

/** Wakes so many as X2 says who sleep at a place. */
const wake = (asm: Assembler, place: keyof typeof PLACES): Assembler =>
  asm.address(X0, at(place)).constant(1, FUTEX_WAKE_PRIVATE).constant(3, 0n).constant(CALL, FUTEX).system()

/**
 * A subroutine that takes parts until none is left, and leaves the ticket in its register. Taking one succeeds only while
 * the task is the one that was looked at, and while a part is out the task stays as it is.
 */
function takeParts(asm: Assembler, start: Label, whenDone: () => void): void {
  const [next, none, done] = [asm.label(), asm.label(), asm.label()]
  asm.set(start).move(BACK, X30)
  asm.set(next).address(X16, at('ticket')).loadExclusive(TICKET, X16)
  asm.bits(X9, TICKET, 0, 8, true).jumpIfZero(X9, none)
  asm.subtractConstant(X10, TICKET, 1).storeExclusive(X11, X16, X10).jumpUnlessZero(X11, next).barrier()
  asm.subtractConstant(X9, X9, 1).load(X10, at('parametersSize')).multiply(X9, X9, X10)
  asm.load(X10, at('parametersAt')).add(X0, X9, X10).load(X11, at('kernel')).callRegister(X11)
  // A kernel gives an int.
  asm.jumpIfZero(X0, done, false).constant(X9, 1n).store(at('fault'), X9)
  asm.set(done)
  add(asm, 'done', 1)
  whenDone()
  asm.jump(next)
  asm.set(none).clearExclusive().barrier().jumpTo(BACK)
}

/** `void *thread(void *shared)`: its number is in the lower bits of its argument. */
export function threadCode(): Uint8Array {
  const asm = new Assembler()
  const [take, loop, look, rest, woken] = [asm.label(), asm.label(), asm.label(), asm.label(), asm.label()]
  enter(asm)
  asm.bits(NUMBER, X0, 0, Math.log2(SHARED_BYTES), true).subtract(SHARED, X0, NUMBER)
  asm.constant(X9, BLOCKED_SIGNALS).pushPair(X9, X9, 16).address(1, { base: SP, displacement: 0 })
  asm.constant(X0, SIG_SETMASK).constant(2, 0n).constant(3, 8n).constant(CALL, RT_SIGPROCMASK).system()
  asm.popPair(X9, X10, 16)
  asm.set(loop).constant(LEFT, BigInt(LOOKS))
  asm.set(look)
  read(asm, TICKET, 'ticket')
  read(asm, X9, 'threads').compare(NUMBER, X9).jumpIf('greaterEqual', rest)
  asm.bits(X9, TICKET, 0, 8, true).jumpUnlessZero(X9, woken)
  asm.pause().subtractConstant(LEFT, LEFT, 1).jumpUnlessZero(LEFT, look)
  // Counted before it sleeps, so that whoever opens a task either sees it or has it find the ticket changed.
  asm.set(rest)
  add(asm, 'sleepers', 1)
  sleep(asm, 'ticket', TICKET)
  add(asm, 'sleepers', -1)
  asm.jump(loop)
  asm.set(woken).call(take).jump(loop)
  takeParts(asm, take, () => {
    const isAwake = asm.label()
    read(asm, X9, 'waits').jumpIfZero(X9, isAwake).constant(2, 1n)
    wake(asm, 'done').set(isAwake)
  })
  return asm.finish()
}

/** `int share(uint32_t task)`: runs all parts of a task, which lies so far from `base`, with the threads' help. */
export function shareCode(shared: bigint, base: bigint): Uint8Array {
  const asm = new Assembler()
  const [take, awake, look, waiting, over, end] = Array.from({ length: 6 }, () => asm.label()) as [
    Label,
    Label,
    Label,
    Label,
    Label,
    Label,
  ]
  enter(asm)
  asm.constant(SHARED, shared).constant(X9, base).addWord(X9, X9, X0)
  const told = (word: keyof typeof TASK): Memory => ({ base: X9, displacement: TASK[word] })
  for (const word of ['kernel', 'parametersAt', 'parametersSize', 'threads'] as const) {
    asm.load(X10, told(word)).store(at(word), X10)
  }
  asm.load(PARTS, told('parts')).load(HELPERS, told('threads')).subtractConstant(HELPERS, HELPERS, 1)
  asm.store(at('done'), ZERO).store(at('fault'), ZERO)
  // Nobody changes a ticket that has no parts.
  asm.load(X10, at('ticket')).bits(X11, X10, 0, 8, true).subtract(X10, X10, X11).addConstant(X10, X10, 256)
  asm.add(X10, X10, PARTS)
  write(asm, 'ticket', X10)
  read(asm, X9, 'sleepers').jumpIfZero(X9, awake).move(2, HELPERS)
  wake(asm, 'ticket')
  asm.set(awake).call(take)
  // The last parts mostly end together, and sleeping takes longer than looking a few times.
  asm.constant(LEFT, BigInt(LOOKS)).set(look)
  read(asm, X9, 'done').compare(X9, PARTS).jumpIf('equal', end)
  asm.pause().subtractConstant(LEFT, LEFT, 1).jumpUnlessZero(LEFT, look)
  asm.constant(X12, 1n)
  write(asm, 'waits', X12)
  asm.set(waiting)
  read(asm, TICKET, 'done').compare(TICKET, PARTS).jumpIf('equal', over)
  sleep(asm, 'done', TICKET)
  asm.jump(waiting)
  asm.set(over)
  write(asm, 'waits', ZERO)
  asm.set(end)
  asm.load(X0, at('fault'))
  leave(asm)
  takeParts(asm, take, () => undefined)
  return asm.finish()
}
