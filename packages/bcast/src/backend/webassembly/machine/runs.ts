// The loops of machine code that packs operands with a stride by itself: they are not cut into strips, and rows go one by
// one.
import { bitsOf } from '../../../dtype/dtype.ts'
import type { Program } from '../../../expr/ir.ts'
import { copiedStrides } from '../../../plan/copies.ts'
import { CHUNK, type KernelRun, MAX_PARTS, PARAMETER_ROOM, SHARE } from '../../../plan/kernels.ts'
import { parameterBytes } from '../../../plan/parameters.ts'
import type { Piece } from '../../../plan/plan.ts'
import { signatureOf } from '../../../plan/signature.ts'
import { splitLoops } from '../../../plan/split.ts'
import { elementCount } from '../../../shape/dim.ts'

/** Rows that machine code packs together: a part begins with as many. */
const ROWS = 128

/** The runs of a piece over operands as they are. */
export function packedRuns(program: Program, { loops, copies, kernels }: Piece, threads: number): readonly KernelRun[] {
  if (!kernels.some(({ signature }) => signature.motions.includes('strided'))) return kernels
  const placed = { ...loops, strides: copiedStrides(loops, copies.whole), shifts: loops.shifts.map(() => 0) }
  const { sizes, strides } = placed
  const signature = signatureOf(program, placed, 1)
  const widest = Math.max(...program.inputs.map(bitsOf))
  const split = splitLoops(sizes, {
    elements: Math.min(CHUNK, Math.max(SHARE, Math.ceil(elementCount(sizes) / (4 * threads)))),
    most: Math.min(MAX_PARTS, Math.floor(PARAMETER_ROOM / (2 * parameterBytes(strides.length, sizes.length)))),
    lanes: Math.max(signature.lanes, 2048 / widest),
    rows: ROWS,
  })
  return [{ signature, loops: placed, split }]
}
