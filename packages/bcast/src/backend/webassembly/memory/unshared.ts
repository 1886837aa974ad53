// A small memory that is not shared, with kernels of its own: the platform copies arrays into it much faster than into
// one that is. Large arrays of the caller are computed there, copied to it and from it in tiles.
import { SLACK, STAGE_BYTES } from '../../../plan/copies.ts'
import type { WasmPlatform } from '../../platform.ts'
import { type KernelHome, UNSHARED_COPIES } from '../execute.ts'
import { Kernels } from '../kernels.ts'

const PAGE = 65_536

export function unsharedMemory(platform: WasmPlatform): KernelHome {
  const pages = Math.ceil((UNSHARED_COPIES + STAGE_BYTES + SLACK) / PAGE)
  const memory = new platform.Memory({ initial: pages, maximum: pages, shared: false })
  return { buffer: memory.buffer, kernels: new Kernels(platform, { memory, shared: false, maximum: pages }) }
}
