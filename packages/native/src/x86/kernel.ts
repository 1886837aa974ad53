// A program as one function that runs a whole loop nest, told by the words that kernels of WebAssembly are told by.
import { WIDE_PARAMETERS as PARAMETERS, type Program, type Signature } from 'bcast/kernels'
import { Assembler } from './assembler.ts'
import { Body, type BodyOptions } from './body.ts'
import { type Context, fill, type Passes, TOLD } from './context.ts'
import { StackFrame } from './frame.ts'
import { writeNest } from './nest.ts'
import { packingOf, writePackedSteps } from './packing.ts'
import { pin } from './pinning.ts'
import { type Memory, R12, R13, R14, R15, RAX, RBP, RBX, RCX, RSP } from './registers.ts'
import { bytesOf } from './vectors.ts'

export interface KernelOptions extends BodyOptions {
  /** The address that the parameters' own counts from. */
  readonly base: bigint
}

/** Registers that belong to whoever calls. */
const SAVED = [RBX, RBP, R12, R13, R14, R15]

/** Instructions of a program from which on its rows go one by one: several are more values than there are registers. */
const LONG = 48

/** Operands that are the same in every row from which on rows go together: fewer stay in the nearest cache. */
const MANY_STILL = 3

/** How many of the rows of a signature a kernel takes at once. */
export function rowsAtOnce({ code }: Program, { motions, rows, still }: Signature): number {
  const again = motions.filter((motion, i) => motion === 'unit' && still[i] === true).length
  return motions.includes('strided') || code.length > LONG || again < MANY_STILL ? 1 : rows
}

/** The eight words of a place of 64 bytes. */
const words = (place: Memory): readonly Memory[] =>
  Array.from({ length: 8 }, (_, i) => ({ ...place, displacement: place.displacement! + 8 * i }))

/** The machine code of `int run(uint32_t parameters)`. Throws Unsupported where a program has none. */
export function compileKernel(program: Program, signature: Signature, options: KernelOptions): Uint8Array {
  const { level, base } = options
  const strided = signature.motions.includes('strided')
  const rows = rowsAtOnce(program, signature)
  const rowsTold = signature.rows / rows
  const own = { ...signature, rows, still: rowsTold === 1 ? signature.still : [] }
  const asm = new Assembler(level === 'avx512' ? 'evex' : 'vex')
  const stack = new StackFrame()
  const body = new Body(program, own, options, stack)
  const passes = passesOf(body, program.code.length)
  const bodies = [passes.whole, passes.single ?? [], passes.partial]
  const cursors = body.dtypes.map(() => ({ address: stack.room(8), rowStep: stack.room(8), blockStep: stack.room(8) }))
  const context: Context = { asm, stack, body, pinning: pin(asm, body, bodies, stack), cursors, rowsTold, passes }
  for (const register of SAVED) asm.push(register)
  asm.move(RBP, RSP)
  const room = asm.reserve(RSP)
  asm.andConstant(RSP, -64).constant(RAX, base).add(TOLD, RAX)
  for (const [i, { address, rowStep, blockStep }] of cursors.entries()) {
    const told = PARAMETERS.operands + i * PARAMETERS.operandSize
    asm.move(RCX, { base: TOLD, displacement: told }).store(address, RCX)
    asm.move(RCX, { base: TOLD, displacement: told + 16 }).store(rowStep, RCX)
    asm.times(RCX, RCX, own.rows).store(blockStep, RCX)
  }
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
  asm.move(RSP, RBP)
  for (const register of SAVED.toReversed()) asm.pop(register)
  room(stack.bytes)
  return asm.ret().finish()
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
