// Operators of object detection: which boxes stay, and what lies within them. Computed in float32, as engines do, so that
// boxes at a threshold fall to the same side.
import { fromData, type Tensor } from 'bcast'
import { transformation } from '../../infer/attributes/resize.ts'
import { regionSize } from '../../infer/attributes/windows.ts'
import type { Call } from '../call.ts'
import type { KernelRow } from '../row.ts'
import type { NodeUse } from '../use.ts'

const f = Math.fround

interface Box {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
  readonly area: number
}

/** Boxes by two opposite corners (y, x, y, x), or by centre and sizes (x, y, width, height). */
function boxOf(numbers: ArrayLike<number>, at: number, centred: boolean): Box {
  const [a, b, c, d] = [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!]
  const [half, tall] = [f(c / 2), f(d / 2)]
  const [y1, x1, y2, x2] = centred ? [f(b - tall), f(a - half), f(b + tall), f(a + half)] : [a, b, c, d]
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)]
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)]
  return { top, left, bottom, right, area: f(f(bottom - top) * f(right - left)) }
}

/** Whether the part that two boxes share is more than this of what they cover together. */
function overlap(a: Box, b: Box, most: number): boolean {
  const height = f(Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))
  const width = f(Math.min(a.right, b.right) - Math.max(a.left, b.left))
  if (!(height > 0 && width > 0 && a.area > 0 && b.area > 0)) return false
  const shared = f(height * width)
  return f(shared / f(f(a.area + b.area) - shared)) > most
}

const scalarOf = (call: Call, i: number): number | undefined => {
  const given = call.inputs[i]
  return given === undefined || given.size === 0 ? undefined : Number(given.data[0])
}

/** For every class of every image the boxes of the largest scores, without those that overlap one before them. */
const nonMaxSuppression: KernelRow = {
  kind: 'kernel',
  name: 'NonMaxSuppression',
  since: 10,
  types: [[10, ['float32']]],
  typed: [0, 1],
  compute(call) {
    const [boxes, scores] = [call.tensor(0), call.tensor(1)]
    const [batches = 0, classes = 0, count = 0] = scores.shape
    if (scores.rank !== 3 || boxes.shape.join() !== [batches, count, 4].join()) {
      call.fail(`boxes of shape (${boxes.shape.join(',')}) do not go with scores of shape (${scores.shape.join(',')}).`)
    }
    const most = scalarOf(call, 2) ?? 0
    const [threshold, least] = [scalarOf(call, 3) ?? 0, scalarOf(call, 4) ?? Number.NEGATIVE_INFINITY]
    const centred = call.attributes.int('center_point_box', 0) !== 0
    const [corners, given] = [boxes.data as Float32Array, scores.data as Float32Array]
    const chosen: bigint[] = []
    for (let line = 0; line < batches * classes; line++) {
      const batch = Math.floor(line / classes)
      const score = (i: number): number => given[line * count + i]!
      const order = Array.from({ length: count }, (_, i) => i).filter((i) => score(i) > least)
      // Of equal ones the first.
      order.sort((i, j) => score(j) - score(i) || i - j)
      const kept: Box[] = []
      for (const i of order) {
        if (kept.length >= most) break
        const box = boxOf(corners, (batch * count + i) * 4, centred)
        if (kept.some((before) => overlap(box, before, threshold))) continue
        kept.push(box)
        chosen.push(BigInt(batch), BigInt(line % classes), BigInt(i))
      }
    }
    return [call.own(fromData('int64', BigInt64Array.from(chosen), [chosen.length / 3, 3]) as unknown as Tensor)]
  },
}

/** A place between elements of an axis: two neighbours, and how far it is from the first; nothing far outside. */
interface Place {
  readonly low: number
  readonly high: number
  readonly way: number
}

function placeOf(position: number, size: number): Place | undefined {
  if (position < -1 || position > size) return undefined
  const within = Math.max(position, 0)
  const low = Math.min(Math.floor(within), size - 1)
  return low >= size - 1 ? { low, high: low, way: 0 } : { low, high: low + 1, way: f(within - low) }
}

/** The places on an axis whose means are taken, for each cell of a box. */
type Cells = readonly (readonly (Place | undefined)[])[]

interface Axis {
  /** Elements of the data. */
  readonly size: number
  /** Cells of the result. */
  readonly cells: number
  /** Samples in a cell; 0 takes as many as there are elements. */
  readonly ratio: number
}

function cellsOf(call: Call, start: number, length: number, { size, cells, ratio }: Axis): Cells {
  const cell = f(length / cells)
  const samples = ratio > 0 ? ratio : Math.max(Math.ceil(cell), 0)
  call.places(cells * samples)
  return Array.from({ length: cells }, (_, i) =>
    Array.from({ length: samples }, (_, j) =>
      placeOf(f(f(start + f(i * cell)) + f(f(f(j + 0.5) * cell) / samples)), size),
    ),
  )
}

/** An element between four neighbours; nothing far outside. */
function between(at: (y: number, x: number) => number, v: Place | undefined, h: Place | undefined): number {
  if (v === undefined || h === undefined) return 0
  const [up, left] = [f(1 - v.way), f(1 - h.way)]
  const upper = f(f(up * left) * at(v.low, h.low)) + f(f(up * h.way) * at(v.low, h.high))
  const lower = f(f(v.way * left) * at(v.high, h.low)) + f(f(v.way * h.way) * at(v.high, h.high))
  return f(upper + lower)
}

/** The means of the cells of one box on one plane, row by row. */
function* meansOf(at: (y: number, x: number) => number, rows: Cells, columns: Cells): Generator<number> {
  for (const row of rows) {
    for (const column of columns) {
      let sum = 0
      for (const v of row) for (const h of column) sum = f(sum + between(at, v, h))
      yield f(sum / Math.max(row.length * column.length, 1))
    }
  }
}

/** The cells of each box, down and across. */
function boxCells(call: Call, rois: Tensor, down: Axis, across: Axis): readonly (readonly [Cells, Cells])[] {
  const scale = call.attributes.float('spatial_scale', 1)
  // From opset 16 on elements have their centres in the middle, unless it is to be as before.
  const isOld = call.opset < 16 || transformation(call) === 'output_half_pixel'
  const numbers = rois.data as Float32Array
  const cells = (start: number, end: number, axis: Axis): Cells => {
    const [from, to] = [f(f(start * scale) - (isOld ? 0 : 0.5)), f(f(end * scale) - (isOld ? 0 : 0.5))]
    return cellsOf(call, from, isOld ? Math.max(f(to - from), 1) : f(to - from), axis)
  }
  return Array.from({ length: rois.shape[0]! }, (_, i) => {
    const [left, top, right, bottom] = numbers.subarray(4 * i, 4 * i + 4) as unknown as [number, number, number, number]
    return [cells(top, bottom, down), cells(left, right, across)]
  })
}

/** Means over the cells of a box, of places between the elements. */
const roiAlign: KernelRow = {
  kind: 'kernel',
  name: 'RoiAlign',
  since: 10,
  types: [[10, ['float32']]],
  typed: [0, 1],
  refuse: ({ attributes }: NodeUse) =>
    attributes.string('mode', 'avg') === 'avg' ? undefined : 'it is run with mode avg only',
  compute(call) {
    const { attributes } = call
    const [x, rois, batches] = [call.tensor(0), call.tensor(1), call.integers(2) ?? call.fail('it has no images.')]
    const [images = 0, channels = 0, height = 0, width = 0] = x.shape
    if (x.rank !== 4 || rois.shape.join() !== [batches.length, 4].join()) {
      call.fail(`X is (${x.shape.join(',')}), the boxes are (${rois.shape.join(',')}), of ${batches.length} images.`)
    }
    const missing = batches.find((image) => image < 0 || image >= images)
    if (missing !== undefined) call.fail(`there is no image ${missing} among ${images}.`)
    const [rows, columns] = regionSize(call)
    if (rows < 1 || columns < 1) call.fail(`a box would become ${rows} by ${columns}.`)
    const ratio = attributes.int('sampling_ratio', 0)
    const down = { size: height, cells: rows, ratio }
    const boxes = boxCells(call, rois, down, { size: width, cells: columns, ratio })
    const data = x.data as Float32Array
    const result = new Float32Array(call.places(batches.length * channels * rows * columns))
    let out = 0
    for (const [i, image] of batches.entries()) {
      for (let channel = 0; channel < channels; channel++) {
        const plane = (image * channels + channel) * height * width
        const at = (y: number, x: number): number => data[plane + y * width + x]!
        for (const mean of meansOf(at, ...boxes[i]!)) result[out++] = mean
      }
    }
    return [call.own(fromData('float32', result, [batches.length, channels, rows, columns]) as unknown as Tensor)]
  },
}

export const detectionRows: readonly KernelRow[] = [nonMaxSuppression, roiAlign]
