// What is measured: each workload is one operator over operands of given shapes and types, and what bcast wants to
// reach there.
import { reductions } from './reductions.ts'
import * as targets from './targets.ts'
import { type BenchDType, f32, type Op, type OperandSpec, of } from './task.ts'
import type { Described, Workload } from './workload.ts'

/** A matrix and a row of one type. */
function withRow(id: string, title: string, op: Op, dtype: BenchDType, n: number, rest: Partial<Described>): Described {
  const matrix = of(dtype, n, n)
  const operands = [matrix, of(dtype, n)]
  return { id, title, op, operands, result: matrix, targets: targets.simple, streams: true, ...rest }
}

/** One operator over float32 matrices. */
function matrices(n: number, small: boolean): Described[] {
  const matrix = f32(n, n)
  const row = f32(n)
  const column = f32(n, 1)
  const add = (id: string, title: string, operands: OperandSpec[], roofline: readonly (string | number)[]) => ({
    id,
    title,
    op: 'add' as const,
    operands,
    result: matrix,
    targets: targets.simple,
    streams: true,
    roofline,
  })
  const images = small ? [2, 16, 28, 28] : [32, 256, 28, 28]
  const pixels = small ? 20_000 : 4_000_000
  return [
    add('same', `(${n},${n}) + (${n},${n})`, [matrix, matrix], ['same', n * n]),
    add('row', `(${n},${n}) + (${n})`, [matrix, row], ['row', n, n]),
    add('column', `(${n},${n}) + (${n},1)`, [matrix, column], ['column', n, n]),
    add('outer', `(${n},1) + (${n})`, [column, row], ['outer', n, n]),
    {
      id: 'normalise',
      title: '(x - m) / s * g + b, rows',
      op: 'normalise',
      operands: [matrix, row, row, row, row],
      result: matrix,
      targets: targets.fused,
      streams: true,
      tolerance: 1e-6,
      roofline: ['normalise', n, n],
    },
    {
      id: 'pixels',
      title: `(${pixels},3) * (3)`,
      op: 'mul',
      operands: [f32(pixels, 3), f32(3)],
      result: f32(pixels, 3),
      targets: targets.every(3),
      roofline: ['pixels', pixels],
    },
    {
      id: 'nchw',
      title: `(${images}) + (${images[1]},1,1)`,
      op: 'add',
      operands: [f32(...images), f32(images[1]!, 1, 1)],
      result: f32(...images),
      targets: targets.simple,
      streams: true,
      roofline: ['nchw', images[0]!, images[1]!, images[2]! * images[3]!],
    },
    {
      id: 'where',
      title: 'where(c, x, row)',
      op: 'where',
      operands: [of('bool', n, n), matrix, row],
      result: matrix,
      targets: targets.every(1.3),
      streams: true,
      roofline: ['where', n, n],
    },
    {
      id: 'transposed',
      title: 'x + y.T',
      op: 'addTransposed',
      operands: [matrix, matrix],
      result: matrix,
      targets: targets.transposed,
      roofline: ['transposed', n],
    },
    {
      id: 'strided',
      title: 'x + y[::-1, ::2]',
      op: 'addStrided',
      operands: [matrix, f32(n, 2 * n)],
      result: matrix,
      targets: targets.every(1.3),
      roofline: ['strided', n, n],
    },
  ]
}

/** Other element types beside a row of their own. */
const types = (n: number): Described[] => [
  withRow('int8', 'int8 + row', 'add', 'int8', n, {
    // So few bytes that some caches do hold them.
    streams: false,
    roofline: ['int8', n, n],
  }),
  withRow('int64', 'int64 * row', 'mul', 'int64', n, { roofline: ['int64', n, n] }),
  withRow('float64', 'float64 + row', 'add', 'float64', n, { roofline: ['float64', n, n] }),
  withRow('float16', 'float16 + row', 'add', 'float16', n, { targets: targets.float16, roofline: ['float16', n, n] }),
  withRow('bfloat16', 'bfloat16 + row', 'add', 'bfloat16', n, {
    targets: targets.bfloat16,
    roofline: ['bfloat16', n, n],
  }),
  withRow('greater', 'x > row', 'greater', 'float32', n, { result: of('bool', n, n), roofline: ['greater', n, n] }),
]

function others(n: number, small: boolean): Described[] {
  const matrix = f32(n, n)
  const d = small ? 3 : 8
  const odd = small ? 50 : 2000
  const depth = small ? 64 : 1024
  return [
    {
      id: 'max',
      title: 'max of 5: matrices, row, column, (1)',
      op: 'max',
      operands: [matrix, f32(n), f32(n, 1), matrix, f32(1)],
      result: matrix,
      targets: targets.every(2),
      streams: true,
      roofline: ['max', n, n],
    },
    {
      id: 'rank8',
      title: `(${d},1,${d},1,…) + (1,${d},1,${d},…), rank 8`,
      op: 'add',
      operands: [f32(d, 1, d, 1, d, 1, d, 1), f32(1, d, 1, d, 1, d, 1, d)],
      result: f32(d, d, d, d, d, d, d, d),
      targets: targets.every(2),
      roofline: ['rank8', d],
    },
    {
      id: 'odd',
      title: `(${odd},501) + (501)`,
      op: 'add',
      operands: [f32(odd, 501), f32(501)],
      result: f32(odd, 501),
      targets: targets.simple,
      roofline: ['row', odd, 501],
    },
    {
      id: 'call',
      title: '(8,8) + (8), one call',
      op: 'add',
      operands: [f32(8, 8), f32(8)],
      result: f32(8, 8),
      targets: targets.perCall,
      roofline: ['row', 8, 8],
    },
    {
      id: 'gemm',
      title: `Gemm ${depth}³ with a row C`,
      op: 'gemm',
      operands: [f32(depth, depth), f32(depth, depth), f32(depth)],
      result: f32(depth, depth),
      targets: targets.gemm,
      // Sums of as many products, in whatever order.
      tolerance: 1e-3,
      roofline: ['rounded', depth, depth, depth],
      fused: ['fused', depth, depth, depth],
    },
    {
      id: 'foreign-same',
      title: 'typed arrays of the caller, same shape',
      op: 'add',
      operands: [matrix, matrix],
      result: matrix,
      foreign: true,
      targets: targets.foreign,
      roofline: ['same', n * n],
    },
    {
      id: 'foreign-row',
      title: 'typed arrays of the caller, row',
      op: 'add',
      operands: [matrix, f32(n)],
      result: matrix,
      foreign: true,
      targets: targets.foreign,
      roofline: ['row', n, n],
    },
  ]
}

/** The same additions over ever more elements. */
const scaling = (small: boolean): Described[] => [
  ...[3, 4, 5, 6, 7, 8].slice(0, small ? 3 : 6).map(
    (power): Described => ({
      id: `1e${power}`,
      title: `x + y, 1e${power} elements`,
      op: 'add',
      operands: [f32(10 ** power), f32(10 ** power)],
      result: f32(10 ** power),
      targets: [],
      scaling: true,
      streams: power > 6,
      roofline: ['same', 10 ** power],
    }),
  ),
  ...[3, 4, 5, 6].slice(0, small ? 3 : 4).map((power): Described => {
    const [rows, columns] = [10 ** Math.floor(power / 2), 10 ** Math.ceil(power / 2)]
    return {
      id: `row-1e${power}`,
      title: `(${rows},${columns}) + (${columns}), 1e${power} elements`,
      op: 'add',
      operands: [f32(rows, columns), f32(columns)],
      result: f32(rows, columns),
      targets: [],
      scaling: true,
      roofline: ['row', rows, columns],
    }
  }),
]

/** Every workload; `small` shrinks them to a check that everything works, where figures say nothing about targets. */
export const workloads = (small: boolean): readonly Workload[] => {
  const n = small ? 128 : 4096
  const all = [...matrices(n, small), ...types(n), ...others(n, small), ...reductions(n, small), ...scaling(small)]
  return all.map((workload) =>
    small
      ? { ...workload, targets: [], nativeTargets: [], streams: false }
      : { ...workload, nativeTargets: targets.nativeTargets(workload.op) },
  )
}

/** Small tasks that each need a kernel, a program or a model that no other one needs. */
export const signatures: readonly Pick<Workload, 'title' | 'op' | 'operands' | 'result'>[] = [
  { title: 'mul with a row', op: 'mul', operands: [f32(64, 64), f32(64)], result: f32(64, 64) },
  { title: 'mul with a column', op: 'mul', operands: [f32(64, 64), f32(64, 1)], result: f32(64, 64) },
  {
    title: 'add float64 with a row',
    op: 'add',
    operands: [of('float64', 64, 64), of('float64', 64)],
    result: of('float64', 64, 64),
  },
  {
    title: 'add float16 with a row',
    op: 'add',
    operands: [of('float16', 64, 64), of('float16', 64)],
    result: of('float16', 64, 64),
  },
  { title: 'greater with a row', op: 'greater', operands: [f32(64, 64), f32(64)], result: of('bool', 64, 64) },
  { title: 'where', op: 'where', operands: [of('bool', 64, 64), f32(64, 64), f32(64)], result: f32(64, 64) },
  { title: 'x + y.T', op: 'addTransposed', operands: [f32(64, 64), f32(64, 64)], result: f32(64, 64) },
  {
    title: 'max of 5',
    op: 'max',
    operands: [f32(64, 64), f32(64), f32(64, 1), f32(64, 64), f32(1)],
    result: f32(64, 64),
  },
  {
    title: 'fused normalise',
    op: 'normalise',
    operands: [f32(64, 64), f32(64), f32(64), f32(64), f32(64)],
    result: f32(64, 64),
  },
]
