// What `bcast bench` measures: operands of every kind that broadcasting meets, and for each the loop that a program
// without a library would have. Both give the same bits.
import { add, cast, fromData, fuse, identity, mul, type Tensor, tensor, where } from 'bcast'
import { halfLoop } from './half.ts'

export interface Workload {
  readonly name: string
  readonly compute: () => Tensor
  readonly loop: () => Float32Array | Uint16Array
}

const N = 2048
const PIXELS = 2 ** 20
const { fround } = Math

/** Numbers from 0.5 to 1.5 that look random and are always the same. */
function filled(length: number, seed: number): Float32Array {
  const numbers = new Float32Array(length)
  for (let i = 0, state = seed; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    numbers[i] = 0.5 + (state >>> 8) / 2 ** 24
  }
  return numbers
}

/** In the engine's memory, where results are too. */
const stored = (data: Float32Array, shape: readonly number[]): Tensor<'float32'> => tensor(data, { shape })

/** The workloads; their operands take memory, so they are made when asked for. */
export function workloads(): readonly Workload[] {
  const [x, z, row, column] = [filled(N * N, 1), filled(N * N, 2), filled(N, 3), filled(N, 4)]
  const [mean, std, gain] = [filled(N, 5), filled(N, 6), filled(N, 7)]
  const [image, scale] = [filled(PIXELS * 3, 8), filled(3, 9)]
  const mask = new Uint8Array(N * N).map((_, i) => (i * 7) & 1)

  const matrix = stored(x, [N, N])
  const [rows, columns] = [stored(row, [N]), stored(column, [N, 1])]
  const turned = stored(z, [N, N]).transpose()
  const [means, stds, gains] = [stored(mean, [N]), stored(std, [N]), stored(gain, [N])]
  const normalised = fuse((value, m, s, g, b) => value.sub(m).div(s).mul(g).add(b))
  const [images, scales] = [stored(image, [PIXELS, 3]), stored(scale, [3])]
  const condition = identity(fromData('bool', mask, [N, N]))
  const [halves, halfRow] = [cast(matrix, 'float16'), cast(rows, 'float16')]

  const result = (): Float32Array => new Float32Array(N * N)
  return [
    {
      name: '(2048,2048) + (2048)',
      compute: () => add(matrix, rows),
      loop: () => {
        const y = result()
        for (let i = 0, at = 0; i < N; i++) for (let j = 0; j < N; j++, at++) y[at] = x[at]! + row[j]!
        return y
      },
    },
    {
      name: '(2048,2048) + (2048,1)',
      compute: () => add(matrix, columns),
      loop: () => {
        const y = result()
        for (let i = 0, at = 0; i < N; i++) for (let j = 0; j < N; j++, at++) y[at] = x[at]! + column[i]!
        return y
      },
    },
    {
      name: '(2048,1) * (2048)',
      compute: () => mul(columns, rows),
      loop: () => {
        const y = result()
        for (let i = 0, at = 0; i < N; i++) for (let j = 0; j < N; j++, at++) y[at] = column[i]! * row[j]!
        return y
      },
    },
    {
      name: '(x - m) / s * g + b, fused',
      compute: () => normalised(matrix, means, stds, gains, rows),
      loop: () => {
        const y = result()
        for (let i = 0, at = 0; i < N; i++) {
          for (let j = 0; j < N; j++, at++) {
            y[at] = fround(fround(fround(x[at]! - mean[j]!) / std[j]!) * gain[j]!) + row[j]!
          }
        }
        return y
      },
    },
    {
      name: 'x + z.transpose()',
      compute: () => add(matrix, turned),
      loop: () => {
        const y = result()
        for (let i = 0, at = 0; i < N; i++) for (let j = 0; j < N; j++, at++) y[at] = x[at]! + z[j * N + i]!
        return y
      },
    },
    {
      name: '(1048576,3) * (3)',
      compute: () => mul(images, scales),
      loop: () => {
        const y = new Float32Array(PIXELS * 3)
        for (let i = 0, at = 0; i < PIXELS; i++) for (let j = 0; j < 3; j++, at++) y[at] = image[at]! * scale[j]!
        return y
      },
    },
    {
      name: 'where(c, x, row)',
      compute: () => where(condition, matrix, rows),
      loop: () => {
        const y = result()
        for (let i = 0, at = 0; i < N; i++) {
          for (let j = 0; j < N; j++, at++) y[at] = mask[at] === 1 ? x[at]! : row[j]!
        }
        return y
      },
    },
    {
      name: 'float16 (2048,2048) + (2048)',
      compute: () => add(halves, halfRow),
      loop: halfLoop(halves.data, halfRow.data),
    },
  ]
}
