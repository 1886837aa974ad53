// Two models run in onnxruntime with the same inputs, and compared to the bit.
import { type Model, writeModel } from '@bcast/onnx'
import type * as ort from 'onnxruntime-node'
import { type Level, runOnce } from './session.ts'

type Feeds = Readonly<Record<string, ort.Tensor>>

/** The outputs of a run by name, or why there are none. */
export async function outputsOf(
  model: Pick<Model, 'proto'>,
  feeds: Feeds,
  level: Level = 'disabled',
): Promise<Readonly<Record<string, ort.Tensor>> | string> {
  try {
    return (await runOnce(writeModel(model), feeds, level)) as Record<string, ort.Tensor>
  } catch (error) {
    return (error as Error).message
  }
}

const bytesOf = ({ data }: ort.Tensor): Uint8Array => {
  const { buffer, byteOffset, byteLength } = data as Float32Array
  return new Uint8Array(buffer, byteOffset, byteLength)
}

interface Strictness {
  /** Whether the sign of a zero counts; true unless said. */
  readonly zeros?: boolean
}

/** The first difference between two runs in words; undefined when there is none. */
export function differenceOf(
  a: Readonly<Record<string, ort.Tensor>>,
  b: Readonly<Record<string, ort.Tensor>>,
  { zeros = true }: Strictness = {},
): string | undefined {
  // NaNs are the same, whatever their payload.
  const isSame = (x: unknown, y: unknown): boolean => Object.is(x, y) || (!zeros && x === y)
  for (const [name, one] of Object.entries(a)) {
    const other = b[name]
    if (other === undefined) return `${name} is missing`
    const [shape, type] = [`(${one.dims.join()})`, one.type]
    if (type !== other.type || shape !== `(${other.dims.join()})`) {
      return `${name} is ${type} ${shape} and ${other.type} (${other.dims.join()})`
    }
    if (type !== 'string' && Buffer.compare(bytesOf(one), bytesOf(other)) === 0) continue
    const at = Array.from({ length: one.data.length }, (_, i) => i).find((i) => !isSame(one.data[i], other.data[i]))
    if (at !== undefined) return `${name}[${at}] is ${one.data[at]} and ${other.data[at]}`
  }
  return undefined
}
