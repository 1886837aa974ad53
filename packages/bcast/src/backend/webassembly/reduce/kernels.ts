// Kernels of reductions by program, what combines and signature; like those of programs they live as long as their
// program does.
import type { Program } from '../../../expr/ir.ts'
import type { Combining } from '../../../expr/reductions.ts'
import { formatReduceSignature, type ReduceSignature } from '../../../plan/reduce.ts'
import { codeOf, type Instructions } from '../../instructions.ts'
import type { WebAssemblyBackend } from '../backend.ts'
import { compileReduceAcross } from '../codegen/reduce-across.ts'
import { compileReduceAlong } from '../codegen/reduce-along.ts'
import type { Kernel } from '../kernels.ts'

const kernels = new WeakMap<WebAssemblyBackend, WeakMap<Program, Map<string, Kernel>>>()

export function reduceKernel(
  backend: WebAssemblyBackend,
  program: Program,
  combine: Combining,
  signature: ReduceSignature,
  instructions: Instructions,
): Kernel {
  let own = kernels.get(backend)
  if (own === undefined) kernels.set(backend, (own = new WeakMap()))
  let byKey = own.get(program)
  if (byKey === undefined) own.set(program, (byKey = new Map()))
  const key = `${combine} ${formatReduceSignature(signature)}`
  let kernel = byKey.get(key)
  if (kernel === undefined) {
    const compile = signature.way === 'along' ? compileReduceAlong : compileReduceAcross
    const emitterOf = (op: Parameters<typeof codeOf>[1]) => codeOf(instructions, op).webassembly
    byKey.set(key, (kernel = backend.load(compile(program, combine, signature, emitterOf, backend.arena))))
  }
  return kernel
}
