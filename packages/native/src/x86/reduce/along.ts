// Reductions along the run on x86-64: which registers loops take, how pointers move on, what of a vector counts.
import { type Combining, LANES, type Program, type ReduceSignature } from 'bcast/kernels'
import type { Virtual } from '../../machine/homes.ts'
import { type AlongLoops, type AlongRegisters, writeAlong } from '../../machine/reduce/along.ts'
import { AT, Body } from '../body.ts'
import { LEFT, type RowPlace, TOLD } from '../context.ts'
import { StackFrame } from '../frame.ts'
import { type Memory, R8, R9, R10, R11, R12, R13, R14, R15, RAX, RBX, RCX, RDI, RSI } from '../registers.ts'
import type { Step } from '../steps.ts'
import { bytesOf, type Level } from '../vectors.ts'
import { Combiner } from './combining.ts'
import { type Label, ReduceLoops, resultsOf } from './loops.ts'
import { copyRest, countLanes } from './row-parts.ts'

/** Instructions from which on a program is worth wider vectors than the tree has lanes. */
const COSTLY = 6
/** Registers that may be carried through loops. */
export const MOST_CARRIED: Readonly<Record<Level, number>> = { avx2: 7, avx512: 16 }

const POINTERS = [RBX, RSI, R8, R9, R10, R11, R12]
const REGISTERS: AlongRegisters = {
  scratch: RAX,
  count: RCX,
  left: LEFT,
  told: TOLD,
  top: R13,
  done: R14,
  rounds: R15,
}

export interface ReduceOptions {
  readonly level: Level
  /** The address that the parameters' own counts from. */
  readonly base: bigint
}

export function compileAlong(
  program: Program,
  combining: Combining,
  signature: ReduceSignature,
  { level, base }: ReduceOptions,
): Uint8Array {
  const { lanes: ownLanes, columns, motions } = signature
  const stack = new StackFrame()
  const { dtype } = program.code.at(-1)!
  const isHalf = program.inputs.length === 1 && bytesOf(program.inputs[0]!) === 2
  const isCostly = level === 'avx512' && columns === 1 && ownLanes === LANES && (program.code.length > COSTLY || isHalf)
  const ratio = isCostly ? 2 : 1
  const lanes = ownLanes * ratio
  const reading = { rows: 1, motions, still: motions.map(() => false), lanes: ownLanes }
  const body = new Body(program, reading, { level, lanes, streams: false, registers: POINTERS }, stack)
  const combiner = new Combiner(body.w, dtype, combining, ownLanes)
  return writeAlong(
    {
      signature,
      combiner,
      w: body.w,
      lanes,
      ratio,
      chains: columns === 1 && (combining === 'min' || combining === 'max') ? 4 : 1,
      mostCarried: MOST_CARRIED[level],
      registers: REGISTERS,
      top: REGISTERS.top,
      scratch: REGISTERS.scratch,
      split: (vector) => (ratio === 1 ? [vector] : combiner.halves(vector)),
      results: resultsOf(body),
      room: (bytes) => stack.room(bytes),
      // The result and scratch come behind those that are read.
      loops: (stretches, carried) => new Loops(body, stack, stretches, program.inputs.length + 2, carried),
    },
    base,
  )
}

class Loops extends ReduceLoops implements AlongLoops<Step, Label> {
  constructor(
    body: Body,
    stack: StackFrame,
    stretches: readonly (readonly Step[])[],
    operands: number,
    carried: readonly Virtual[],
  ) {
    super(body, stack, stretches, { operands, carried: carried.length })
    const last = (body.w.isWide ? 32 : 16) - 1
    const pinned = this.pinning.pinned as Map<number, number | Memory>
    for (const [i, { virtual }] of carried.entries()) pinned.set(virtual, last - i)
  }

  override beginRows(places: readonly RowPlace[]): void {
    super.beginRows(places)
    this.asm.clear(AT)
  }

  forward(elements: number): void {
    this.asm.addConstant(AT, elements)
  }

  countRest(): void {
    const { asm, body } = this
    asm.move(RAX, LEFT).store(body.w.counted, RAX)
    if (body.w.isWide) countLanes(this)
    else copyRest(this, this.told, this.at)
  }

  copy(to: Memory, from: number, bytes: number): void {
    this.asm.move(RSI, from).move(RDI, to).number(RCX, bytes).copyBytes().move(TOLD, this.told)
  }
}
