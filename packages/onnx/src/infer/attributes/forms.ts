// What is left of attributes that both inference and runs read: how data is reshaped, reduced, gathered, multiplied.
import { intOf, isSet, type Judging, type Said, says, textOf } from './said.ts'

/** Whether a 0 in the shape of Reshape is a size, and not the data's own one. */
export const keepsZero = (said: Said): boolean => isSet(said, 'allowzero')

/** The axes that Shape tells of, from one to before another, of data of a rank. */
export function shapeRange(said: Said, rank: number): readonly [start: number, end: number] {
  const within = (value: number): number => Math.min(Math.max(value < 0 ? value + rank : value, 0), rank)
  return [within(intOf(said, 'start', 0)), within(intOf(said, 'end', rank))]
}

/** Whether Shape tells of all axes. */
export const isWholeShape = (said: Said): boolean => intOf(said, 'start', 0) === 0 && !says(said, 'end')

export function blockSize(judging: Judging): number {
  const block = judging.attributes.int('blocksize')
  return block < 1 ? judging.fail(`blocksize is ${block}.`) : block
}

/** The order of axes that Transpose asks for; undefined for the reverse. */
export const permutation = ({ attributes }: Said): readonly number[] | undefined => attributes.ints('perm', undefined)

/** How many parts Split makes, and whether the last may be smaller: it may where a number is asked for. */
export const partCount = (said: Said): { readonly count: number; readonly lastMayDiffer: boolean } => ({
  count: intOf(said, 'num_outputs', said.node.outputs.length),
  lastMayDiffer: says(said, 'num_outputs'),
})

/** How many axes of GatherND are walked together. */
export const batchDims = (said: Said): number => intOf(said, 'batch_dims', 0)

/** Whether axes that are reduced stay, of size 1. */
export const keepsDims = (said: Said): boolean => isSet(said, 'keepdims', true)

/** Whether a reduction without axes reduces none instead of all. */
export const reducesNone = (said: Said): boolean => isSet(said, 'noop_with_empty_axes')

/** Whether Gemm reads A and B transposed. */
export const transposes = (said: Pick<Said, 'attributes'>): readonly [a: boolean, b: boolean] => [
  said.attributes.int('transA', 0) !== 0,
  said.attributes.int('transB', 0) !== 0,
]

/** Whether BatchNormalization has statistics of its own for every element; it could before opset 9. */
export const isPerElement = (said: Said): boolean => said.opset < 9 && !isSet(said, 'spatial', true)

/** Which way each direction of a recurrent network goes. */
export function backwardOf(judging: Judging): readonly boolean[] {
  const said = textOf(judging, 'direction', 'forward')
  const ways: Readonly<Record<string, readonly boolean[]>> = {
    ...{ forward: [false], reverse: [true], bidirectional: [false, true] },
  }
  return ways[said] ?? judging.fail(`the direction is ${JSON.stringify(said)}.`)
}

/** Undefined where the weights alone tell it. */
export const hiddenSize = (said: Said): number | undefined => intOf(said, 'hidden_size', undefined)

/** Whether a recurrent network has the batch as its first axis. */
export const isBatchFirst = (said: Said): boolean => isSet(said, 'layout')

/** How Scan goes over its inputs: how many it scans, along which axes, and where results are stacked. */
export interface Scanning {
  readonly count: number
  readonly inputAxis: (i: number) => number
  readonly outputAxis: (i: number) => number
}

export const scanning = ({ attributes }: Pick<Said, 'attributes'>): Scanning => ({
  count: attributes.int('num_scan_inputs'),
  inputAxis: (i: number): number => attributes.ints('scan_input_axes', [])[i] ?? 0,
  outputAxis: (i: number): number => attributes.ints('scan_output_axes', [])[i] ?? 0,
})
