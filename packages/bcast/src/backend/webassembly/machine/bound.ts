// Small calls that repeat, run by machine code: a call writes where its operands lie and runs its kernel, on the calling
// thread or in parts that its own threads share. Nothing is copied, because operands may lie anywhere.
import type { TypedArray } from '../../../dtype/dtype.ts'
import type { Program } from '../../../expr/ir.ts'
import { planKernels } from '../../../plan/kernels.ts'
import { WIDE_PARAMETERS } from '../../../plan/parameters.ts'
import { canShareWork } from '../../platform.ts'
import type { Bound, Settled } from '../bound-call.ts'
import type { Kernels } from '../kernels.ts'
import type { Located } from '../located.ts'
import type { Arena } from '../memory/arena.ts'
import { partOf } from '../part.ts'
import { kernelOf, type MachineCode } from './code.ts'
import { TASK_BYTES, wideBytes, writeWide, writeWideParameters } from './parameters.ts'
import { isWorthSharing, shareTask, workOf } from './share.ts'

/** Whose calls they are: its memory, and the threads that are wanted at the moment. */
export interface BoundHome {
  readonly arena: Arena
  readonly threads: number
}

/** Blocks of parameters in the arena, one for each part, and where the operands of each begin, in bytes from the whole's. */
interface Blocks {
  readonly at: number
  readonly size: number
  readonly words: readonly Int32Array[]
  readonly begins: readonly (readonly number[])[]
}

/** Gives blocks back. */
const freed = new FinalizationRegistry<{ readonly arena: Arena; readonly at: number; readonly bytes: number }>(
  ({ arena, at, bytes }) => arena.free(at, bytes),
)

/** What is kept of a call: nothing of the arrays that it was settled over. */
type Bare = Pick<Settled, 'loops' | 'signature' | 'widths'> & { readonly program: Program }

/** The blocks of a call in parts for so many threads; undefined where there is no room. */
function blocksOf(
  { arena }: BoundHome,
  { program, loops, signature, widths }: Bare,
  threads: number,
): Blocks | undefined {
  const [first] = planKernels(program, loops, widths, threads)
  const whole = { loop: 0, length: loops.sizes[0]!, parts: 1 }
  // Loops that the plan would cut otherwise are run as they are, in one part.
  const run = { loops, signature, split: threads === 1 || first!.loops !== loops ? whole : first!.split }
  const { parts } = run.split
  const size = wideBytes(widths.length, loops.sizes.length)
  const bytes = parts * size + TASK_BYTES
  const at = arena.allocate(bytes)
  if (at === undefined) return undefined
  const cursors = widths.map((width, i) => ({ width, address: 0, strides: loops.strides[i]! }) as unknown as Located)
  const begins: number[][] = []
  const words = Array.from({ length: parts }, (_, part) => {
    const own = new Int32Array(arena.buffer, at + part * size, size / 4)
    const { sizes, operands } = partOf(run, cursors, part)
    writeWideParameters(own, sizes, operands, 1)
    begins.push(operands.map(({ address }) => address))
    return own
  })
  const blocks = { at, size, words, begins }
  freed.register(blocks, { arena, at, bytes })
  return blocks
}

/** Undefined where it does not pay, or there is no machine code or no room. */
export function bindMachine(code: MachineCode, kernels: Kernels, home: BoundHome, settled: Settled): Bound | undefined {
  const { computable, total, loops, signature, widths, lows, highs } = settled
  const { program } = computable
  const { arena } = home
  const bare: Bare = { program, loops, signature, widths }
  const kernel = code.pays(program, total, true) ? kernelOf(code, kernels, program, bare) : undefined
  const alone = kernel && blocksOf(home, bare, 1)
  if (kernel === undefined || alone === undefined) return undefined
  // The arena does not move while it grows.
  const base = code.addressOf(arena.buffer)
  const work = workOf(program, total)
  let shared: { readonly threads: number; readonly blocks: Blocks | undefined } | undefined

  /** Writes where operands begin; false where one is no longer what it was. */
  const tell = ({ words, begins }: Blocks, arrays: readonly TypedArray[], offsets: readonly number[]): boolean => {
    for (let i = 0; i < arrays.length; i++) {
      const array = arrays[i]!
      const first = offsets[i]!
      const isOwn = arena.holds(array)
      if (!isOwn && (first + highs[i]! >= array.length || first + lows[i]! < 0)) return false
      const address = (isOwn ? base : code.addressOf(array.buffer)) + array.byteOffset + first * widths[i]!
      const entry = (WIDE_PARAMETERS.operands + i * WIDE_PARAMETERS.operandSize) / 4
      for (let part = 0; part < words.length; part++) writeWide(words[part]!, entry, address + begins[part]![i]!)
    }
    return true
  }
  const runAlone = ({ at, size, words }: Blocks): number => {
    let fault = 0
    for (let part = 0; part < words.length; part++) fault |= kernel.run(at + part * size)
    return fault
  }
  return {
    // Its kernels end what they begin.
    running: false,
    call(arrays, offsets) {
      const { threads } = home
      const isWanted = threads > 1 && canShareWork && isWorthSharing(work)
      if (isWanted && shared?.threads !== threads) shared = { threads, blocks: blocksOf(home, bare, threads) }
      const blocks = (isWanted ? shared!.blocks : undefined) ?? alone
      if (!tell(blocks, arrays, offsets)) return undefined
      const { at, size, words } = blocks
      const task = { address: kernel.address, parametersAt: at, parametersSize: size, parts: words.length }
      return (
        (isWanted && words.length > 1
          ? shareTask(code, arena.buffer, task, at + words.length * size, threads)
          : undefined) ?? runAlone(blocks)
      )
    },
  }
}
