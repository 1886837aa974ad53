// Memory that grows in the middle of a call: its buffers before and after are different objects, and what was asked for
// lies behind the end of the first. Whoever writes parameters takes the buffer behind the asking.
import { add, configure, empty, gemm, mean, ones, type Tensor } from 'bcast'
import { afterEach, expect, it } from 'vitest'
import { wasm } from '../../src/backend/platform.ts'

const memory = (wasm as unknown as { Memory: { prototype: { grow(pages: number): number } } }).Memory.prototype
const { grow } = memory

afterEach(() => {
  memory.grow = grow
  configure({ threads: 1 })
})

/** Takes all that the arena has without growing, in pieces of at least so many bytes. */
function fill(least: number): Tensor[] {
  memory.grow = () => {
    throw new RangeError('not now')
  }
  const held: Tensor[] = []
  for (let bytes = 1 << 24; bytes > least; bytes = bytes > 1 << 14 ? bytes >> 1 : bytes - 256) {
    for (;;) {
      const one = empty([bytes / 4]) as Tensor
      if (!((one.storage as Float32Array).buffer instanceof SharedArrayBuffer)) break
      held.push(one)
    }
  }
  memory.grow = grow
  return held
}

it('products and sums that nobody waits for are right when parameters make it grow', async () => {
  configure({ threads: 8 })
  const [m, k, n] = [1024, 64, 64]
  const [x, y] = [add(ones([m, k]), 1), add(ones([k, n]), 2)]
  const out = add(ones([m, n]), 1)
  const wanted = (await gemm.async(x, y)).data[5]
  for (const least of [4096, 2048, 1024]) {
    const held = fill(least)
    expect((await gemm.async(x, y, { out } as never)).data[5]).toBe(wanted)
    expect((await add.async(x, x)).data[7]).toBe(4)
    expect((await mean.async(x, { axes: 0 })).data[3]).toBe(2)
    for (const each of held) each.dispose()
  }
})
