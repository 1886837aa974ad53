// What a program pays for: a bundle that only adds holds the engine, the interpreter and the explanations of errors, and
// nothing of other operators or of symbolic shapes.
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { wasm } from '../../src/backend/platform.ts'
import { bundle, importBundle, partsOf } from '../support/bundled.ts'
import { thrownBy } from '../support/thrown.ts'

/** Bytes that each program may load at first, minified and compressed. */
const BOUNDS: Readonly<Record<string, readonly [bound: number, program: string]>> = {
  adds: [
    37_300,
    `import { add, tensor } from 'bcast'
    console.log(add(tensor([[1, 2], [3, 4]]), tensor([10, 20])).toArray())`,
  ],
  explains: [12_288, `import { explain } from 'bcast'\nconsole.log(String(explain([[2, 3, 4], [2, 4]])))`],
  'brings shapes together': [
    7000,
    `import { broadcastShapes } from 'bcast'\nconsole.log(broadcastShapes([2, 3], [3]))`,
  ],
}
/** Bytes of what is loaded with the first call that could use threads. */
const THREADS = 3300

const bytesOf = (code: Uint8Array): number => gzipSync(code, { level: 9 }).length

describe('the size of a program that only', () => {
  it.each(Object.entries(BOUNDS))('%s', async (_, [bound, program]) => {
    const { first, later } = await partsOf(program)
    // What is loaded later shares nothing with the rest, which bundlers would cut in two otherwise.
    expect([first.length, later.length]).toEqual([1, 1])
    expect(bytesOf(first[0]!)).toBeLessThanOrEqual(bound)
    expect(bytesOf(later[0]!)).toBeLessThanOrEqual(THREADS)
  })
})

const ADD = `
import { add, tensor } from 'bcast'
export { add, tensor }
export const sum = add(tensor([[1, 2], [3, 4]]), tensor([10, 20])).toArray()`

describe('a program that only adds', () => {
  it('holds no other operator and no solver', async () => {
    const text = new TextDecoder().decode(await bundle(BOUNDS['adds']![1]))
    expect(text).toContain('"Add"')
    for (const absent of [
      '"Mul"',
      '"Where"',
      '"Exp"',
      'division by zero',
      'holds if axesMapping',
      'whose rank is unknown',
    ])
      expect(text).not.toContain(absent)
  })

  it('adds', async () => {
    const { sum } = await importBundle(await bundle(ADD))
    expect(sum).toEqual([
      [11, 22],
      [13, 24],
    ])
  })

  it('adds where a policy forbids WebAssembly', async () => {
    const adding = await bundle(ADD)
    class Module {
      constructor() {
        throw new Error('blocked by the content security policy')
      }
    }
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    vi.stubGlobal('WebAssembly', { Memory: wasm!.Memory, Module })
    const { sum } = await importBundle(adding)
    vi.unstubAllGlobals()
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('a content security policy may forbid it'))
    warn.mockRestore()
    expect(sum).toEqual([
      [11, 22],
      [13, 24],
    ])
  })

  it('explains a failure in full', async () => {
    const { add, tensor } = (await importBundle(await bundle(ADD))) as Record<
      'add' | 'tensor',
      (...args: unknown[]) => unknown
    >
    const zeros = (...shape: number[]) => tensor!(new Float32Array(shape.reduce((n, size) => n * size)), { shape })
    const error = thrownBy(() => add!(zeros(2, 3, 4), zeros(2, 4))) as Error
    expect(error.message).toBe(`cannot broadcast axis -2: 3 vs 2 (shapes [2,3,4] and [2,4])

  axis    -3  -2  -1
  A        2   3!  4
  B            2!  4
  (! conflict)

rule numpy: sizes on an axis must be equal or 1 [ONNX Broadcasting, multidirectional, condition 2]
fix: reshape B from (2,4) to (2,1,4) → (2,3,4)   b.reshape(2, 1, 4)`)
  })

  it('prints a tensor', async () => {
    const { add, tensor } = (await importBundle(await bundle(ADD))) as Record<
      'add' | 'tensor',
      (...args: unknown[]) => unknown
    >
    expect(String(add!(tensor!([0.5, 1]), tensor!(1)))).toBe('[1.5 2. ]')
  })
})
