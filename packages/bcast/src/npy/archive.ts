// Tensors as .npz archives, and back.
import { FormatError, OperandError } from '../errors/index.ts'
import { described } from '../ops/arguments.ts'
import { isOptions } from '../shape/options.ts'
import type { Tensor } from '../tensor/tensor.ts'
import { arrayIn, bytesOf, checkNoOptions, checkStored, type FileBytes, fileOf } from './array.ts'
import { crc32 } from './crc32.ts'
import { unzipped, zippedFiles } from './unzip.ts'
import { directory, joined, localHeader } from './zip.ts'

const { TextEncoder } = globalThis as unknown as {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array }
}

/** Archives have 16 bits for the length of a name. */
const LONGEST_NAME = 0xffff

/**
 * The tensors in an .npz archive by name, stored or compressed, each checksum compared.
 *
 * @example
 * ```ts
 * readNpz(writeNpz({ bias: tensor([1, 2]) })).then(({ bias }) => bias.toArray()) // Promise.resolve([1, 2])
 * ```
 */
export function readNpz(bytes: FileBytes): Promise<Record<string, Tensor>>
export async function readNpz(bytes: FileBytes, ...rest: readonly unknown[]): Promise<Record<string, Tensor>> {
  checkNoOptions('readNpz', rest)
  const archive = bytesOf('readNpz', bytes)
  const arrays = new Map<string, Tensor>()
  for (const file of zippedFiles(archive)) {
    const name = file.name.replace(/\.npy$/, '')
    if (arrays.has(name)) throw new FormatError(`it is no sound archive: two of its members are named ${name}.`)
    try {
      arrays.set(name, arrayIn(await unzipped(archive, file)))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      throw new FormatError(`${name}: ${error.problem}`, error.fix)
    }
  }
  return Object.fromEntries(arrays)
}

/**
 * Tensors by name as the bytes of an .npz archive, as np.savez writes it: not compressed. The same tensors give the same
 * bytes.
 *
 * @example
 * ```ts
 * writeNpz({ weights: ones([2, 3]), bias: tensor([1, 2]) }) instanceof Uint8Array // true
 * ```
 */
export function writeNpz(arrays: Readonly<Record<string, Tensor>>): Uint8Array
export function writeNpz(arrays: Readonly<Record<string, Tensor>>, ...rest: readonly unknown[]): Uint8Array {
  checkNoOptions('writeNpz', rest)
  if (!isOptions(arrays)) {
    throw new OperandError(`writeNpz takes tensors by name: writeNpz({ x, y }); it was given ${described(arrays)}.`, {
      operator: 'writeNpz',
    })
  }
  let start = 0
  const files = Object.entries(arrays).map(([key, x]) => {
    checkStored(`writeNpz: ${key}`, x)
    const name = new TextEncoder().encode(`${key}.npy`)
    if (key === '' || name.length > LONGEST_NAME) {
      throw new OperandError(`writeNpz: a name has 1 to ${LONGEST_NAME - 4} bytes, not ${name.length - 4}.`, {
        operator: 'writeNpz',
      })
    }
    const data = fileOf(x)
    const file = { name, size: data.length, checksum: crc32(data), start }
    const header = localHeader(file)
    start += header.length + data.length
    return { file, header, data }
  })
  return joined([
    ...files.flatMap(({ header, data }) => [header, data]),
    directory(
      files.map(({ file }) => file),
      start,
    ),
  ])
}
