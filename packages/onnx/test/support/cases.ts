// Random nodes for onnxruntime to run: operators with shapes, attributes and elements that mostly fit together.
import { tensor as makeTensor, type Tensor } from 'bcast'
import fc from 'fast-check'
import type { Attributes } from '../../../../testing/models/infer.ts'

export interface Case {
  readonly op: string
  readonly opset: number
  /** In their order; undefined for one that is left out. */
  readonly inputs: readonly (Tensor | undefined)[]
  readonly attributes: Attributes
  readonly outputs: number
}

const { array, boolean, constantFrom, integer, shuffledSubarray, tuple } = fc

const size = integer({ min: 0, max: 4 })
const shapeOfRank = (least: number, most: number) => array(size, { minLength: least, maxLength: most })
/** Without empty axes, which onnxruntime gets wrong (reductions) or dies of (TopK, Unique). */
const fullSize = integer({ min: 1, max: 4 })
const fullShape = (least: number, most: number) => array(fullSize, { minLength: least, maxLength: most })
const opset = constantFrom(7, 9, 10, 11, 12, 13, 14, 18, 20, 21, 22)
const atLeast = (least: number) => opset.filter((version) => version >= least)

type NumberType = 'float32' | 'int64'

/** Elements that are small, and differ. */
const filled = (shape: readonly number[], dtype: NumberType = 'float32', start = 0): Tensor => {
  const count = shape.reduce((a, b) => a * b, 1)
  const elements = Array.from({ length: count }, (_, i) => ((i + start) * 7) % 11) as number[]
  return dtype === 'int64'
    ? (makeTensor(BigInt64Array.from(elements.map(BigInt)), { shape: [...shape] }) as Tensor)
    : (makeTensor(Float32Array.from(elements), { shape: [...shape] }) as Tensor)
}

const ints = (values: readonly number[], shape: readonly number[] = [values.length]): Tensor =>
  makeTensor(BigInt64Array.from(values.map(BigInt)), { shape: [...shape] }) as Tensor

const bools = (values: readonly boolean[]): Tensor =>
  makeTensor(values as boolean[], { dtype: 'bool', shape: [values.length] } as never) as Tensor

const made = (op: string, version: number, inputs: Case['inputs'], attributes: Attributes = {}, outputs = 1): Case => ({
  op,
  opset: version,
  inputs,
  attributes,
  outputs,
})

const dtype = constantFrom<NumberType>('float32', 'int64')

/** A shape that broadcasts with another, mostly. */
const companion = (shape: readonly number[]) =>
  tuple(
    integer({ min: 0, max: shape.length }),
    array(boolean(), { minLength: shape.length, maxLength: shape.length }),
    size,
    boolean(),
  ).map(([from, ones, other, spoil]) =>
    shape.slice(from).map((dim, i) => (ones[i] ? 1 : spoil && i === 0 ? other : dim)),
  )

const pair = shapeOfRank(0, 3).chain((a) => companion(a).map((b) => [a, b] as const))

/** Without empty axes: of empty matrices onnxruntime does not look at the batches. */
const fullPair = fullShape(0, 3).chain((a) => companion(a).map((b) => [a, b.map((each) => Math.max(each, 1))] as const))

const binary = tuple(
  constantFrom('Add', 'Sub', 'Mul', 'Div', 'Max', 'Min', 'Less', 'Equal', 'Greater', 'Mod', 'Pow'),
  atLeast(13),
  pair,
  dtype,
).map(([op, version, [a, b], type]) =>
  made(op, version, [filled(a, type, 1), filled(b, type, 3)], op === 'Mod' && type === 'float32' ? { fmod: 1 } : {}),
)

const where = tuple(atLeast(9), pair, companion([2, 3])).map(([version, [a, b], c]) =>
  made(
    'Where',
    version,
    [filled(a, 'int64'), filled(b), filled(c)].map((x, i) => (i === 0 ? boolsLike(x) : x)),
  ),
)

const boolsLike = (x: Tensor): Tensor =>
  makeTensor(
    Uint8Array.from({ length: x.size }, (_, i) => i % 2),
    { dtype: 'bool', shape: [...x.shape] } as never,
  ) as Tensor

const axisOf = (rank: number) => integer({ min: -rank, max: Math.max(rank - 1, -rank) })

/** Some axes, each once, from either end. */
const axesOf = (rank: number) =>
  tuple(
    shuffledSubarray(Array.from({ length: rank }, (_, i) => i)),
    array(boolean(), { minLength: rank, maxLength: rank }),
  ).map(([axes, back]) => axes.map((axis, i) => (back[i] ? axis - rank : axis)))

const position = fc.oneof(
  integer({ min: -6, max: 6 }),
  constantFrom(2 ** 31 - 1, -(2 ** 31), Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER),
)

const slice = tuple(shapeOfRank(1, 3), atLeast(10), dtype).chain(([shape, version, type]) =>
  axesOf(shape.length).chain((axes) =>
    tuple(
      array(position, { minLength: axes.length, maxLength: axes.length }),
      array(position, { minLength: axes.length, maxLength: axes.length }),
      array(constantFrom(1, 1, 2, 3, -1, -2), { minLength: axes.length, maxLength: axes.length }),
    ).map(([starts, ends, steps]) =>
      made('Slice', version, [filled(shape, type), ...[starts, ends, axes, steps].map((x) => ints(x))]),
    ),
  ),
)

const slice1 = shapeOfRank(1, 3).chain((shape) =>
  tuple(position, position, integer({ min: 0, max: shape.length - 1 })).map(([start, end, axis]) =>
    made('Slice', 9, [filled(shape)], { starts: [start], ends: [end], axes: [axis] }),
  ),
)

const reshape = tuple(shapeOfRank(0, 3), atLeast(14), dtype, boolean()).chain(([shape, version, type, allowzero]) =>
  tuple(fc.array(constantFrom(-1, 0, 1, 2, 3, 4), { maxLength: 4 }), boolean()).map(([free, permute]) => {
    const target = permute ? [...shape].reverse() : free
    return made('Reshape', version, [filled(shape, type), ints(target)], allowzero ? { allowzero: 1 } : {})
  }),
)

const byAxes = (op: string, since: number, more: (shape: readonly number[]) => Attributes = () => ({})) =>
  tuple(fullShape(1, 3), atLeast(11), dtype).chain(([shape, version, type]) =>
    axesOf(shape.length).map((axes) => {
      const extra = more(shape)
      return version >= since
        ? made(op, version, [filled(shape, type), axes.length === 0 ? undefined : ints(axes)], extra)
        : made(op, version, [filled(shape, type)], axes.length === 0 ? extra : { ...extra, axes })
    }),
  )

const squeeze = tuple(fc.array(constantFrom(1, 1, 2, 3), { minLength: 1, maxLength: 4 }), atLeast(11), dtype).chain(
  ([shape, version, type]) =>
    axesOf(shape.length)
      .map((axes) => axes.filter((axis) => shape.at(axis) === 1))
      .map((axes) =>
        version >= 13
          ? made('Squeeze', version, [filled(shape, type), axes.length === 0 ? undefined : ints(axes)])
          : made('Squeeze', version, [filled(shape, type)], axes.length === 0 ? {} : { axes }),
      ),
)

const unsqueeze = tuple(shapeOfRank(0, 3), atLeast(11), dtype).chain(([shape, version, type]) =>
  axesOf(shape.length + 2).map((axes) => {
    const two = axes.slice(0, 2)
    const rank = shape.length + two.length
    const fitting = two.every((axis) => axis >= -rank && axis < rank) ? two : [0]
    return version >= 13
      ? made('Unsqueeze', version, [filled(shape, type), ints(fitting)])
      : made('Unsqueeze', version, [filled(shape, type)], { axes: fitting })
  }),
)

const transpose = shapeOfRank(1, 4).chain((shape) =>
  tuple(
    shuffledSubarray(
      shape.map((_, i) => i),
      { minLength: shape.length },
    ),
    opset,
    dtype,
  ).map(([perm, version, type]) => made('Transpose', version, [filled(shape, type)], { perm })),
)

const flatten = shapeOfRank(0, 4).chain((shape) =>
  tuple(integer({ min: -shape.length, max: shape.length }), atLeast(11)).map(([axis, version]) =>
    made('Flatten', version, [filled(shape)], { axis }),
  ),
)

const expand = tuple(pair, atLeast(8), dtype).map(([[a, b], version, type]) =>
  made('Expand', version, [filled(b, type), ints(a)]),
)

const tile = shapeOfRank(1, 3).chain((shape) =>
  tuple(array(integer({ min: 0, max: 3 }), { minLength: shape.length, maxLength: shape.length }), opset, dtype).map(
    ([repeats, version, type]) => made('Tile', version, [filled(shape, type), ints(repeats)]),
  ),
)

const concat = shapeOfRank(1, 3).chain((shape) =>
  tuple(axisOf(shape.length), array(size, { minLength: 1, maxLength: 3 }), atLeast(11), dtype).map(
    ([axis, sizes, version, type]) =>
      made(
        'Concat',
        version,
        sizes.map((each, i) => filled(shape.with(axis, each), type, i)),
        { axis },
      ),
  ),
)

const split = shapeOfRank(1, 3).chain((shape) =>
  tuple(
    axisOf(shape.length),
    array(integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 3 }),
    atLeast(11),
    dtype,
    boolean(),
  ).map(([axis, parts, version, type, equal]) => {
    const whole = shape.with(
      axis,
      parts.reduce((a, b) => a + b, 0),
    )
    const x = filled(whole, type)
    if (equal && version >= 18) return made('Split', version, [x], { axis, num_outputs: parts.length }, parts.length)
    if (equal) return made('Split', version, [x], { axis }, parts.length)
    return version >= 13
      ? made('Split', version, [x, ints(parts)], { axis }, parts.length)
      : made('Split', version, [x], { axis, split: parts }, parts.length)
  }),
)

const pad = shapeOfRank(1, 3).chain((shape) =>
  tuple(array(integer({ min: -1, max: 3 }), { minLength: 2 * shape.length, maxLength: 2 * shape.length }), opset).map(
    ([pads, version]) =>
      version >= 11
        ? made('Pad', version, [filled(shape), ints(pads)])
        : made('Pad', version, [filled(shape)], { pads }),
  ),
)

const gather = tuple(shapeOfRank(1, 3), shapeOfRank(0, 2), atLeast(11), dtype).chain(
  ([shape, indices, version, type]) =>
    tuple(axisOf(shape.length), integer({ min: -4, max: 3 })).map(([axis, start]) => {
      const count = indices.reduce((a, b) => a * b, 1)
      const along = shape.at(axis)!
      const values = Array.from({ length: count }, (_, i) => (along === 0 ? 0 : (start + i) % along))
      return made('Gather', version, [filled(shape, type), ints(values, indices)], { axis })
    }),
)

const gatherElements = shapeOfRank(1, 3).chain((shape) =>
  tuple(axisOf(shape.length), size, atLeast(11)).map(([axis, along, version]) => {
    const indices = shape.with(axis, along)
    const count = indices.reduce((a, b) => a * b, 1)
    return made('GatherElements', version, [filled(shape), ints(new Array<number>(count).fill(0), indices)], { axis })
  }),
)

const gatherNd = tuple(
  fc.array(integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
  shapeOfRank(0, 2),
  atLeast(12),
).chain(([shape, outer, version]) =>
  integer({ min: 1, max: shape.length }).map((depth) => {
    const indices = [...outer, depth]
    const count = indices.reduce((a, b) => a * b, 1)
    return made('GatherND', version, [filled(shape), ints(new Array<number>(count).fill(0), indices)])
  }),
)

const arg = tuple(constantFrom('ArgMax', 'ArgMin'), fullShape(1, 3), atLeast(11), boolean()).chain(
  ([op, shape, version, keep]) =>
    axisOf(shape.length).map((axis) => made(op, version, [filled(shape)], { axis, keepdims: keep ? 1 : 0 })),
)

const topK = fullShape(1, 3).chain((shape) =>
  tuple(axisOf(shape.length), integer({ min: 1, max: 4 }), atLeast(11)).map(([axis, k, version]) =>
    made('TopK', version, [filled(shape), ints([k])], { axis }, 2),
  ),
)

const range = tuple(
  integer({ min: -9, max: 9 }),
  integer({ min: -9, max: 9 }),
  constantFrom(1, 2, 3, -1, -2),
  atLeast(11),
  boolean(),
).map(([start, limit, delta, version, whole]) => {
  const scalar = (x: number): Tensor =>
    whole ? ints([x], []) : (makeTensor(Float32Array.of(x * 0.3), { shape: [] }) as Tensor)
  return made('Range', version, [start, limit, delta].map(scalar))
})

const oneHot = tuple(shapeOfRank(0, 2), integer({ min: 1, max: 4 }), atLeast(11)).chain(([shape, depth, version]) =>
  axisOf(shape.length + 1).map((axis) =>
    made('OneHot', version, [filled(shape, 'int64'), ints([depth], []), filled([2])], { axis }),
  ),
)

const nonZero = tuple(shapeOfRank(1, 3), atLeast(9), dtype).map(([shape, version, type]) =>
  made('NonZero', version, [filled(shape, type)]),
)

const compress = shapeOfRank(1, 3).chain((shape) =>
  tuple(axisOf(shape.length), array(boolean(), { maxLength: 4 }), atLeast(11)).map(([axis, condition, version]) =>
    made('Compress', version, [filled(shape), bools(condition.slice(0, shape.at(axis)))], { axis }),
  ),
)

const unique = tuple(fullShape(1, 2), atLeast(11), boolean()).map(([shape, version, whole]) =>
  made('Unique', version, [filled(shape)], whole ? {} : { axis: 0 }, 4),
)

const matmul = tuple(fullPair, fullSize, fullSize, fullSize, opset).map(([[a, b], m, k, n, version]) =>
  made('MatMul', version, [filled([...a.slice(0, 2), m, k]), filled([...b.slice(0, 2), k, n])]),
)

const matmulVector = tuple(shapeOfRank(0, 2), size, boolean(), opset).map(([batch, k, left, version]) =>
  made('MatMul', version, left ? [filled([k]), filled([...batch, k, 3])] : [filled([...batch, 3, k]), filled([k])]),
)

const gemm = tuple(
  size,
  size,
  size,
  boolean(),
  boolean(),
  constantFrom<readonly number[]>([], [1], [3], [3, 1]),
  atLeast(11),
).map(([m, k, n, transA, transB, c, version]) =>
  made(
    'Gemm',
    version,
    [
      filled(transA ? [k, m] : [m, k]),
      filled(transB ? [n, k] : [k, n]),
      filled(c.map((each) => (each === 3 ? (c.length === 2 ? m : n) : each))),
    ],
    {
      transA: transA ? 1 : 0,
      transB: transB ? 1 : 0,
    },
  ),
)

const einsum = tuple(
  constantFrom('ij,jk->ik', 'bij,bjk->bik', 'ij->ji', '...ij,...jk->...ik', 'ii->i', 'ij->', 'i,j'),
  integer({ min: 1, max: 3 }),
  atLeast(12),
).map(([equation, n, version]) => {
  const shapes = equation
    .split('->')[0]!
    .split(',')
    .map((part) => [...part.replaceAll('...', 'z')].map((letter) => ({ i: 2, j: 3, k: 4, b: n, z: n })[letter] ?? 1))
  return made(
    'Einsum',
    version,
    shapes.map((shape) => filled(equation === 'ii->i' ? [2, 2] : shape)),
    { equation },
  )
})

const depth = tuple(
  constantFrom('DepthToSpace', 'SpaceToDepth'),
  array(integer({ min: 1, max: 4 }), { minLength: 4, maxLength: 4 }),
  atLeast(13),
).map(([op, shape, version]) =>
  made(
    op,
    version,
    [
      filled(
        op === 'DepthToSpace' ? shape.with(1, shape[1]! * 4) : [shape[0]!, shape[1]!, shape[2]! * 2, shape[3]! * 2],
      ),
    ],
    { blocksize: 2 },
  ),
)

const shapeOp = tuple(shapeOfRank(0, 4), integer({ min: -5, max: 5 }), integer({ min: -5, max: 5 }), atLeast(15)).map(
  ([shape, start, end, version]) => made('Shape', version, [filled(shape)], { start, end }),
)

const constantOfShape = tuple(shapeOfRank(0, 3), atLeast(9)).map(([shape, version]) =>
  made('ConstantOfShape', version, [ints(shape)], { value: ints([7]) }),
)

const cast = tuple(shapeOfRank(0, 2), dtype, constantFrom(1, 6, 7, 9, 11), atLeast(9)).map(
  ([shape, type, to, version]) => made('Cast', version, [filled(shape, type)], { to }),
)

const sameShape = tuple(
  constantFrom('Relu', 'Neg', 'Abs', 'Floor', 'Ceil', 'Round', 'Sqrt', 'Sign', 'Identity', 'Softmax', 'Trilu', 'Erf'),
  shapeOfRank(2, 3),
  atLeast(14),
).map(([op, shape, version]) => made(op, version, [filled(shape)]))

const reductions = (['ReduceSum', 'ReduceMax', 'ReduceMin', 'ReduceProd', 'ReduceMean', 'ReduceL2'] as const).map(
  (op) => byAxes(op, op === 'ReduceSum' ? 13 : 18, (shape) => ({ keepdims: shape.length % 2 })),
)

/** Cases by family. */
export const families: Readonly<Record<string, fc.Arbitrary<Case>>> = {
  ...{
    binary,
    where,
    slice,
    slice1,
    reshape,
    squeeze,
    unsqueeze,
    transpose,
    flatten,
    expand,
    tile,
    concat,
    split,
    pad,
  },
  ...{ gather, gatherElements, gatherNd, arg, topK, range, oneHot, nonZero, compress, unique },
  ...{ matmul, matmulVector, gemm, einsum, depth, shapeOp, constantOfShape, cast, sameShape },
  reductions: fc.oneof(...reductions),
}
