// How kernels of products go over rows and columns, whatever processor runs them: in strips and tiles that are full, then in
// fewer rows and vectors, of which the last may not be full.
import { PRODUCT } from 'bcast/kernels'
import type { Multiplying } from './product.ts'
import type { TileSizes } from './tile.ts'

/** What loops need of an assembler. */
interface Jumps<Label> {
  label(): Label
  set(label: Label): unknown
  jump(label: Label): unknown
  jumpIf(condition: 'less' | 'lessEqual' | 'greater' | 'greaterEqual', label: Label): unknown
  compareConstant(register: number, value: number): unknown
}

/** Repeats `body`, which takes so much of what a register holds, as long as that is there. */
export function whileHolds<Label>(asm: Jumps<Label>, register: number, least: number, body: () => void): void {
  const [again, done] = [asm.label(), asm.label()]
  asm.compareConstant(register, least)
  asm.jumpIf('less', done)
  asm.set(again)
  body()
  asm.compareConstant(register, least)
  asm.jumpIf('greaterEqual', again)
  asm.set(done)
}

/** Strips of the greatest height as long as there are rows for one, then of the others; `strip` takes its rows. */
export function eachStrip<Label>(
  asm: Jumps<Label>,
  rows: number,
  { heights }: TileSizes,
  strip: (height: number) => void,
): void {
  for (const height of heights) {
    const [again, done] = [asm.label(), asm.label()]
    asm.set(again)
    asm.compareConstant(rows, height)
    asm.jumpIf('less', done)
    strip(height)
    asm.jump(again)
    asm.set(done)
  }
}

/** Tiles of all vectors, then one of so many as are left; `next` takes the columns of a whole tile. */
export function eachTile<Label>(
  asm: Jumps<Label>,
  columns: number,
  { vectors, lanes }: TileSizes,
  tile: (vectors: number) => void,
  next: () => void,
): void {
  const [again, done] = [asm.label(), asm.label()]
  asm.set(again)
  for (let count = vectors; count > 0; count--) {
    const fewer = asm.label()
    if (count > 1) asm.compareConstant(columns, (count - 1) * lanes)
    if (count > 1) asm.jumpIf('lessEqual', fewer)
    tile(count)
    if (count === vectors) {
      next()
      asm.compareConstant(columns, 0)
      asm.jumpIf('greater', again)
    }
    if (count > 1) asm.jump(done)
    if (count > 1) asm.set(fewer)
  }
  asm.set(done)
}

/** Code for so many rows where the last of some vectors is not full, which `begin` is for, and where it is. */
export function eachRowOf<Label>(
  asm: Jumps<Label>,
  [columns, full]: readonly [columns: number, full: number],
  height: number,
  begin: () => void,
  row: (row: number, isEnd: boolean) => void,
): void {
  const [whole, done] = [asm.label(), asm.label()]
  asm.compareConstant(columns, full)
  asm.jumpIf('greaterEqual', whole)
  begin()
  for (let i = 0; i < height; i++) row(i, true)
  asm.jump(done)
  asm.set(whole)
  for (let i = 0; i < height; i++) row(i, false)
  asm.set(done)
}

/** Whether C comes to the sums. */
export const addsC = ({ c }: Multiplying): boolean => c === 'row' || c === 'column'

/** Where sums go, where they come from, and C, as far as a kernel has them; with the offset of its argument each. */
export const movingOf = <Place>(
  kernel: Multiplying,
  [to, from, c]: readonly [to: Place, from: Place, c: Place],
): readonly (readonly [place: Place, offset: number])[] => [
  [to, PRODUCT.to],
  ...(kernel.starts === 'sums' ? [[from, PRODUCT.from] as const] : []),
  ...(addsC(kernel) ? [[c, PRODUCT.c] as const] : []),
]
