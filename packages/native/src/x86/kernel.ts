// A program as one function that runs a whole loop nest, told by the words that kernels of WebAssembly are told by.
import type { Program, Signature } from 'bcast/kernels'
import { Assembler } from './assembler.ts'
import { Body } from './body.ts'
import { type Context, fill, type Passes } from './context.ts'
import { StackFrame } from './frame.ts'
import { cursorsOn, readCursors, writeFunction } from './function.ts'
import { writeNest } from './nest.ts'
import { packingOf, writePackedSteps } from './packing.ts'
import { pin } from './pinning.ts'
import { type Memory, RAX } from './registers.ts'
import { bytesOf, type Level } from './vectors.ts'

export interface KernelOptions {
  readonly level: Level
  /** The address that the parameters' own counts from. */
  readonly base: bigint
  /** Whether results go past the caches, because nobody reads them soon. */
  readonly streams: boolean
}

/** Instructions of a program from which on its rows go one by one: several are more values than there are registers. */
const LONG = 48

/** The eight words of a place of 64 bytes. */
const words = (place: Memory): readonly Memory[] =>
  Array.from({ length: 8 }, (_, i) => ({ ...place, displacement: place.displacement! + 8 * i }))

/** The machine code of `int run(uint32_t parameters)`. Throws Unsupported where a program has none. */
export function compileKernel(program: Program, signature: Signature, options: KernelOptions): Uint8Array {
  const { level, base, streams } = options
  const strided = signature.motions.includes('strided')
  const rowsTold = strided || program.code.length > LONG ? signature.rows : 1
  const own = { ...signature, rows: signature.rows / rowsTold, still: rowsTold === 1 ? signature.still : [] }
  const asm = new Assembler(level === 'avx512' ? 'evex' : 'vex')
  const stack = new StackFrame()
  const body = new Body(program, own, level, streams, stack)
  const passes = passesOf(body, program.code.length)
  const bodies = [passes.whole, passes.single ?? [], passes.partial]
  const cursors = cursorsOn(stack, body.dtypes.length)
  const context: Context = { asm, stack, body, pinning: pin(asm, body, bodies, stack, 0), cursors, rowsTold, passes }
  return writeFunction(asm, stack, base, () => {
    readCursors(asm, cursors, own.rows)
    const { fault } = body.w
    if (fault !== undefined) {
      asm.clear(RAX)
      for (const word of words(fault)) asm.store(word, RAX)
    }
    const packing = strided ? packingOf(stridedOf(body), stack) : undefined
    if (packing === undefined) fill(context, context.pinning.constants)
    else writePackedSteps(context, packing)
    writeNest(context, packing)
    if (body.streams) asm.fence()
    asm.clearUpper().clear(RAX)
    if (fault !== undefined) {
      const none = asm.label()
      for (const word of words(fault)) asm.or(RAX, word)
      asm.compareConstant(RAX, 0).jumpIf('equal', none).number(RAX, 1).set(none)
    }
  })
}

/** Operands with a stride on the inner axis. */
const stridedOf = ({ signature, dtypes }: Body): readonly { readonly operand: number; readonly width: number }[] =>
  signature.motions.flatMap((motion, operand) =>
    motion === 'strided' ? [{ operand, width: bytesOf(dtypes[operand]!) }] : [],
  )

/** Vectors of a pass: several hide the cost of the loop, where they are few enough values. */
function passesOf(body: Body, length: number): Passes {
  const vectors = body.signature.rows > 1 || length > 24 ? 1 : length > 8 ? 2 : 4
  const whole = body.steps('whole', vectors)
  return {
    vectors,
    whole,
    single: vectors > 1 ? body.steps('whole', 1) : undefined,
    partial: body.steps('partial', 1),
  }
}
