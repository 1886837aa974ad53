// Threads that run parts of kernels: the code of a thread, and that of whoever shares a task with them. Both take parts one
// by one until none is left. A thread looks for the next task for a while and sleeps then; waking it takes the system a few
// microseconds, where waking a thread of JavaScript takes several times as long.
import { TASK } from 'bcast/kernels'
import { BLOCKED_SIGNALS, PLACES, SHARED_BYTES } from '../machine/task-places.ts'
import { Assembler, type Label } from './assembler.ts'
import { type Memory, R8, R10, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RDI, RDX, RSI } from './registers.ts'

/** How often a thread looks for the next task before it sleeps, about fifty microseconds. */
const LOOKS = 4000

const FUTEX = 202
const FUTEX_WAIT_PRIVATE = 128
const FUTEX_WAKE_PRIVATE = 129
const RT_SIGPROCMASK = 14
const SIG_SETMASK = 2

const SAVED = [RBX, RBP, R12, R13, R14, R15]
/** Where what is shared lies. */
const SHARED = RBX
const at = (place: keyof typeof PLACES): Memory => ({ base: SHARED, displacement: PLACES[place] })

/** Sleeps at a place as long as it holds what a register does, or wakes so many who sleep there. */
function sleep(asm: Assembler, place: keyof typeof PLACES, value: number): void {
  asm.move(RDX, value).address(RDI, at(place)).number(RSI, FUTEX_WAIT_PRIVATE).clear(R10)
  asm.number(RAX, FUTEX).system()
}

function wake(asm: Assembler, place: keyof typeof PLACES, count: number): void {
  asm.address(RDI, at(place)).number(RSI, FUTEX_WAKE_PRIVATE).number(RDX, count).number(RAX, FUTEX).system()
}

/**
 * A subroutine that takes parts until none is left, and leaves the ticket in R13. Taking one succeeds only while the task is
 * the one that was looked at, and while a part is out the task stays as it is.
 */
function takeParts(asm: Assembler, start: Label, whenDone: () => void): void {
  const [again, none, done] = [asm.label(), asm.label(), asm.label()]
  asm.set(start).move(RAX, at('ticket'))
  asm.set(again).move(R13, RAX).move(RCX, RAX).andConstant(RCX, 255)
  asm.compareConstant(RCX, 0).jumpIf('equal', none)
  asm.move(RDX, RAX).subtractConstant(RDX, 1).compareExchange(at('ticket'), RDX).jumpIf('notEqual', again)
  asm.subtractConstant(RCX, 1).multiply(RCX, at('parametersSize')).move(RDI, at('parametersAt')).add(RDI, RCX)
  asm.call(at('kernel'))
  // A kernel gives an int.
  asm.moveWord(RAX, RAX).compareConstant(RAX, 0).jumpIf('equal', done)
  asm.number(RAX, 1).store(at('fault'), RAX)
  asm.set(done).number(RAX, 1).exchangeAdd(at('done'), RAX)
  whenDone()
  asm.jump(start)
  asm.set(none).ret()
}

/** `void *thread(void *shared)`: its number is in the lower bits of its argument. */
export function threadCode(): Uint8Array {
  const asm = new Assembler('vex')
  const [take, loop, look, rest, woken] = [asm.label(), asm.label(), asm.label(), asm.label(), asm.label()]
  for (const register of SAVED) asm.push(register)
  asm
    .move(R15, RDI)
    .andConstant(R15, SHARED_BYTES - 1)
    .move(SHARED, RDI)
    .subtract(SHARED, R15)
  asm.constant(RAX, BLOCKED_SIGNALS).push(RAX)
  asm.number(RDI, SIG_SETMASK).address(RSI, { base: 4 }).clear(RDX).number(R10, 8).number(RAX, RT_SIGPROCMASK).system()
  asm.pop(RAX)
  asm.set(loop).number(R14, LOOKS)
  asm.set(look).move(R13, at('ticket'))
  asm.compare(R15, at('threads')).jumpIf('greaterEqual', rest)
  asm.move(RAX, R13).andConstant(RAX, 255).compareConstant(RAX, 0).jumpIf('notEqual', woken)
  asm.pause().subtractConstant(R14, 1).jumpIf('notEqual', look)
  // Counted before it sleeps, so that whoever opens a task either sees it or has it find the ticket changed.
  asm.set(rest).number(RAX, 1).exchangeAdd(at('sleepers'), RAX)
  sleep(asm, 'ticket', R13)
  asm.constant(RAX, -1n).exchangeAdd(at('sleepers'), RAX).jump(loop)
  asm.set(woken).call(take).jump(loop)
  takeParts(asm, take, () => {
    const isAwake = asm.label()
    asm.move(RAX, at('waits')).compareConstant(RAX, 0).jumpIf('equal', isAwake)
    wake(asm, 'done', 1)
    asm.set(isAwake)
  })
  return asm.finish()
}

/** `int share(uint32_t task)`: runs all parts of a task, which lies so far from `base`, with the threads' help. */
export function shareCode(shared: bigint, base: bigint): Uint8Array {
  const asm = new Assembler('vex')
  const [take, awake, look, waiting, end] = [asm.label(), asm.label(), asm.label(), asm.label(), asm.label()]
  for (const register of SAVED) asm.push(register)
  asm.constant(SHARED, shared).constant(RAX, base).moveWord(RDI, RDI).add(RDI, RAX)
  const told = (word: keyof typeof TASK): Memory => ({ base: RDI, displacement: TASK[word] })
  for (const word of ['kernel', 'parametersAt', 'parametersSize', 'threads'] as const) {
    asm.move(RAX, told(word)).store(at(word), RAX)
  }
  asm.move(RBP, told('parts')).move(R12, told('threads')).subtractConstant(R12, 1)
  asm.clear(RAX).store(at('done'), RAX).store(at('fault'), RAX)
  // Nobody changes a ticket that has no parts.
  asm.move(RAX, at('ticket')).andConstant(RAX, -256).addConstant(RAX, 256).or(RAX, RBP).exchange(at('ticket'), RAX)
  asm.move(RAX, at('sleepers')).compareConstant(RAX, 0).jumpIf('equal', awake)
  asm.move(RDX, R12).address(RDI, at('ticket')).number(RSI, FUTEX_WAKE_PRIVATE).number(RAX, FUTEX).system()
  asm.set(awake).call(take)
  // The last parts mostly end together, and sleeping takes longer than looking a few times.
  asm.number(R14, LOOKS)
  asm.set(look).compare(RBP, at('done')).jumpIf('equal', end)
  asm.pause().subtractConstant(R14, 1).jumpIf('notEqual', look)
  asm.number(RAX, 1).exchange(at('waits'), RAX)
  asm.set(waiting).move(R8, at('done')).compare(R8, RBP)
  const over = asm.label()
  asm.jumpIf('equal', over)
  sleep(asm, 'done', R8)
  asm.jump(waiting)
  asm.set(over).clear(RAX).store(at('waits'), RAX)
  asm.set(end).move(RAX, at('fault'))
  for (const register of SAVED.toReversed()) asm.pop(register)
  asm.ret()
  takeParts(asm, take, () => undefined)
  return asm.finish()
}
