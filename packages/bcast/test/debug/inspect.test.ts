// What a fused expression becomes: loops, motions, plan and kernels, as they are computed.
import { describe, expect, it } from 'vitest'
import { inspect } from '../../src/debug.ts'
import { fuse } from '../../src/index.ts'
import { thrownBy as thrown } from '../support/thrown.ts'

const of = (shape: readonly number[]) => ({ dtype: 'float32' as const, shape })
const standardize = fuse((x, m, s) => x.sub(m).div(s))

describe('inspect', () => {
  it('joins axes and says how operands move', () => {
    const { shape, dtype, passes, steps } = inspect(standardize, [of([8, 16, 3000]), of([3000]), of([])])
    expect([dtype, shape, passes.passes]).toEqual(['float32', [8, 16, 3000], 1])
    const [step] = steps
    expect(step).toMatchObject({ shape: [8, 16, 3000], loops: [128, 3000] })
    expect(step!.operands).toEqual([
      { operand: 0, strides: [48000, 3000, 1], steps: [3000, 1], motion: 'unit' },
      { operand: 1, strides: [0, 0, 1], steps: [0, 1], motion: 'unit' },
      { operand: 2, strides: [0, 0, 0], steps: [0, 0], motion: 'splat' },
    ])
    expect(step!.plan).toContain('loops 128 x 3000')
    for (const { text, bytes } of step!.kernels) {
      expect(text).toMatch(/^\(module\n/)
      expect(text).toContain('f32x4.div')
      expect(bytes).toBeGreaterThan(100)
    }
  })

  it('plans for so many threads', () => {
    const parts = (threads: number): string | undefined =>
      inspect(standardize, [of([1024, 1024]), of([1024]), of([1024])], { threads })
        .steps[0]!.plan.split('; ')
        .at(-1)
    expect([parts(1), parts(4)]).toEqual(['4 parts, 256 of loop 0 each', '16 parts, 64 of loop 0 each'])
  })

  it('leaves what reduces to the passes', () => {
    const centred = fuse((x) => x.sub(x.mean({ axes: [1], keepdims: true })))
    const { passes, steps } = inspect(centred as never, [of([4, 8])])
    expect(passes.text).toContain('over axes [1]')
    expect(steps).toHaveLength(1)
    expect(steps[0]!.operands.map(({ operand }) => operand)).toContain(undefined)
  })

  it('refuses what fuse did not make, and another number of operands', () => {
    expect(thrown(() => inspect((x: never) => x, [of([1])]))).toMatchObject({ code: 'BCAST_OPERAND' })
    expect(thrown(() => inspect(standardize, [of([1])]))).toMatchObject({
      message: expect.stringContaining('takes 3 operands, not 1'),
    })
  })

  it('refuses operands that are none, without types too', () => {
    const loose = inspect as (...args: unknown[]) => unknown
    const said = (...args: unknown[]): string => thrown(() => loose(...args)).message
    expect(said(standardize)).toContain('takes operands as an array behind the function')
    expect(said(standardize, of([1]), of([1]), of([1]))).toContain('takes operands as an array')
    expect(said(standardize, [1, 2, 3])).toBe('inspect: operand 0 is 1; it is a tensor, or { dtype, shape }.')
    expect(said(standardize, [{ dtype: 'float33', shape: [1] }, of([1]), of([1])])).toContain('float33')
  })
})
