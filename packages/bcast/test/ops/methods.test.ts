// `import 'bcast/methods'`: every operator is a method and computes what its function does; without it tensors say what to
// write instead.
import 'bcast/methods'
import * as bcast from 'bcast'
import { type DType, fuse, operators, Tensor, tensor, zeros } from 'bcast'
import { describe, expect, it } from 'vitest'
import { elementsOf, make, specials } from '../../../../testing/elements.ts'
import { HINTED } from '../../src/tensor/hints.ts'
import { bundle, importBundle } from '../support/bundled.ts'

type Loose = (...args: unknown[]) => Tensor

const few = (dtype: DType): Tensor => make(dtype, specials(dtype).slice(1, 4))

/** What some operators have to be told. */
const NEEDED: Readonly<Record<string, readonly object[]>> = { mod: [{ fmod: true }], bitShift: [{ direction: 'LEFT' }] }

describe('with the import', () => {
  it.each(Object.values(operators))('$name', ({ name, call, types, least, most }) => {
    const dtype = types.shared.includes('float32') ? 'float32' : types.shared[0]!
    const operands = Array.from({ length: most === Number.POSITIVE_INFINITY ? 2 : least }, (_, i) =>
      few(types.own?.operand === i ? types.own.types[0]! : dtype),
    )
    const options = NEEDED[name] ?? []
    const [x, ...rest] = operands as [Tensor, ...Tensor[]]
    const method = (x as unknown as Record<string, Loose>)[name]!
    expect(elementsOf(method.call(x, ...rest, ...options))).toEqual(elementsOf(call(x, ...rest, ...options)))
  })

  it('chains, takes options and numbers, and writes into out', () => {
    const x = tensor([
      [1, 2],
      [3, 4],
    ])
    expect(
      x
        .sub(1)
        .mul(tensor([10, 100]))
        .toArray(),
    ).toEqual([
      [0, 100],
      [20, 300],
    ])
    const out = zeros([2, 2])
    expect(x.add(x, { out })).toBe(out)
    expect(x.greater(2).where(x, 0).toArray()).toEqual([
      [0, 0],
      [3, 4],
    ])
    expect(x.astype('int64').toArray()).toEqual([
      [1n, 2n],
      [3n, 4n],
    ])
    expect(x.cast('bool').dtype).toBe('bool')
    expect(
      x
        .unsqueeze(0)
        .squeeze()
        .flip(1)
        .take([1])
        .tile([2, 1])
        .pad([
          [0, 0],
          [1, 0],
        ])
        .toArray(),
    ).toEqual([
      [0, 4, 3],
      [0, 4, 3],
    ])
    expect(x.split(2).map((part) => part.toArray())).toEqual([[[1, 2]], [[3, 4]]])
    expect(x.allClose(x.add(1e-9)) && x.arrayEqual(x) && x.isClose(1).get(0, 0)).toBe(true)
  })

  it('reduces and multiplies', () => {
    const x = tensor([
      [1, 2],
      [3, 4],
    ])
    expect([x.sum().item(), x.mean().item(), x.prod().item(), x.sumSquare().item()]).toEqual([10, 2.5, 24, 30])
    expect(x.max({ axes: 0 }).toArray()).toEqual([3, 4])
    expect(x.min({ axes: 1, keepdims: true }).toArray()).toEqual([[1], [3]])
    expect(x.max(tensor([2, 3])).toArray()).toEqual([
      [2, 3],
      [3, 4],
    ])
    expect([x.norm({ ord: 1 }).item(), tensor([3, 4]).norm().item(), tensor([0]).logSumExp().item()]).toEqual([
      10, 5, 0,
    ])
    expect([x.greater(3).any().item(), x.greater(3).all().item()]).toEqual([true, false])
    expect([x.argMax().item(), x.argMin({ axis: 0 }).toArray()]).toEqual([3n, [0n, 0n]])
    expect(x.cumSum({ axis: 1, reverse: true }).toArray()).toEqual([
      [3, 2],
      [7, 4],
    ])
    const out = zeros([2])
    expect(x.matmul(tensor([1, -1]), { out })).toBe(out)
    expect(out.toArray()).toEqual([-1, -1])
  })

  it('astype is cast inside fuse, too', () => {
    expect(fuse((x) => x.astype('int32').add(1))(tensor([1.5])).toArray()).toEqual([2])
  })

  it('refuses what the function refuses', () => {
    const x = zeros([2, 3]) as Tensor
    expect(() => (x as never as Record<'add', Loose>).add(zeros([2]))).toThrow('cannot broadcast axis -1: 3 vs 2')
    expect(() => (x as never as Record<'add', Loose>).add(x, { axis: 1 })).toThrow('Add has no option axis')
  })

  it('adds nothing that a loop over a tensor would see', () => {
    expect(Object.keys(Tensor.prototype)).toEqual([])
    expect('map' in zeros([1])).toBe(true)
  })
})

describe('without it', () => {
  it('tensors say what to write, until it comes', async () => {
    const program = "export { tensor, add } from 'bcast'"
    const { tensor: make } = (await importBundle(await bundle(program))) as unknown as typeof bcast
    const x = make([1]) as unknown as Record<string, Loose>
    expect(() => x['add']!(1)).toThrow("there is no x.add(…); write add(x, …), or import 'bcast/methods'.")
    expect(() => x['map']!(Math.abs)).toThrow('there is no x.map(…); write fuse((x) => …).')
    expect(Object.keys(Object.getPrototypeOf(x) as object)).toEqual([])
    const all = await importBundle(await bundle(`import 'bcast/methods'\n${program}`))
    const y = (all as unknown as typeof bcast).tensor([1]) as unknown as Record<string, Loose>
    expect(y['add']!(1).toArray()).toEqual([2])
    expect(() => y['map']!(Math.abs)).toThrow('fuse')
  })

  it('every hint names a function of the library', () => {
    for (const name of HINTED) if (name !== 'map') expect(bcast).toHaveProperty(name)
  })
})
