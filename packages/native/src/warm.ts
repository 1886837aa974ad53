// A kernel that nobody runs: what the platform does when code of the compiler runs for the first time is done when the
// package is loaded, and not in the first call.
import type { Program, Signature } from 'bcast/kernels'
import { compileKernel } from './compile.ts'
import type { Level } from './levels.ts'

/** (x + y) * y of a matrix and a row. */
const PROGRAM: Program = {
  inputs: ['float32', 'float32'],
  code: [
    { op: 'input', dtype: 'float32', args: [], value: 0 },
    { op: 'input', dtype: 'float32', args: [], value: 1 },
    { op: 'add', dtype: 'float32', args: [0, 1] },
    { op: 'mul', dtype: 'float32', args: [2, 1] },
  ],
}
const SIGNATURE: Signature = { motions: ['unit', 'splat'], rows: 1, still: [false, false], lanes: 16 }

export function warm(level: Level): void {
  compileKernel(PROGRAM, SIGNATURE, { level, base: 0n, streams: true })
}
