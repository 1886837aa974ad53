// A small memory that is not shared, with kernels of its own: the platform copies arrays into it much faster than into
// one that is. Large arrays of the caller are computed there, copied to it and from it in tiles.
import type { Program } from '../../../expr/ir.ts'
import { signatureOf } from '../../../plan/signature.ts'
import { elementsIn } from '../../../plan/staging.ts'
import type { WasmMemory, WasmPlatform } from '../../platform.ts'
import { Kernels } from '../kernels.ts'
import { writeParameters } from '../parameters.ts'
import { addressesOf, type Compute, type Cursor, computeStaged, SLACK } from './staging.ts'

const BYTES = 1 << 20
/** What of it is for parameters. */
const PARAMETER_ROOM = 1 << 16
/** Bytes of an operand that is worth kernels of the desk's own. */
const LARGE = 1 << 22

export class Desk {
  readonly #memory: WasmMemory
  readonly #kernels: Kernels

  constructor(platform: WasmPlatform) {
    const pages = BYTES / 65_536
    this.#memory = new platform.Memory({ initial: pages, maximum: pages, shared: false })
    this.#kernels = new Kernels(platform, { memory: this.#memory, shared: false, maximum: pages })
  }

  /** Whether loops over operands outside the arena are better computed here. */
  static isFor(sizes: readonly number[], cursors: readonly Cursor[]): boolean {
    const inputs = cursors.slice(0, -1)
    const isLarge = ({ strides, width }: Cursor): boolean => elementsIn(sizes, strides) * width > LARGE
    return inputs.every(({ staged }) => staged) && inputs.some(isLarge)
  }

  run(program: Program, sizes: readonly number[], cursors: readonly Cursor[]): boolean {
    const { buffer } = this.#memory
    const { run } = this.#kernels.get(program, signatureOf({ strides: cursors.map(({ strides }) => strides) }, 1))
    const compute: Compute = (tile, placed) => {
      writeParameters(buffer, 0, tile, placed, addressesOf(placed), 1)
      return run(0) === 0
    }
    const stage = { buffer, begin: PARAMETER_ROOM, end: BYTES - SLACK }
    const copied = cursors.map((cursor) => ({ ...cursor, staged: true }))
    return computeStaged(stage, sizes, copied, compute, compute)
  }
}
