// How each format puts a result into bytes: what stands before the elements, the elements, what stands behind them.

import { npyHeader } from 'bcast/npy'
import { FileError } from '../errors/file-error.ts'
import { bytesOf, type TypedArray } from './element.ts'
import { DEEPEST } from './json/nesting.ts'
import { JsonText } from './json/write.ts'
import type { ArrayDescription } from './sink.ts'
import type { Order } from './source.ts'

export interface Encoding {
  begin(): Uint8Array
  /** Each is there until the next is asked for. */
  elements(run: TypedArray): Iterable<Uint8Array>
  end(): Uint8Array
}

const nothing = (): Uint8Array => new Uint8Array()

/** Elements as they lie in memory, behind what describes them. */
const binary = (begin: () => Uint8Array): Encoding => ({ begin, elements: (run) => [bytesOf(run)], end: nothing })

function json(label: string, description: ArrayDescription): Encoding {
  if (description.shape.length > DEEPEST) {
    const problem = `a result of rank ${description.shape.length} would nest lists more than ${DEEPEST} deep.`
    throw new FileError(label, problem, 'Write it as .npy.')
  }
  const text = new JsonText(description)
  let room = Buffer.alloc(0)
  return {
    begin: () => Buffer.from(text.begin()),
    *elements(run) {
      for (const part of text.elements(run)) {
        if (room.length < part.length) room = Buffer.alloc(2 * part.length)
        yield room.subarray(0, room.write(part, 'latin1'))
      }
    },
    end: () => Buffer.from(text.end()),
  }
}

export type Format = 'npy' | 'npz' | 'json' | 'pb' | 'raw'

type Encode = (label: string, description: ArrayDescription) => Encoding | Promise<Encoding>

/** The formats by name; an archive holds an npy. */
export const encodings: Readonly<Record<Format, Encode>> = {
  npy: (_label, description) => binary(() => npyHeader(description)),
  npz: (_label, description) => binary(() => npyHeader(description)),
  json,
  pb: async (label, description) => {
    // It brings all of @bcast/onnx, which takes longer to load than most arrays.
    const { tensorProtoStart } = await import('./pb/write.ts')
    return binary(() => tensorProtoStart(label, description))
  },
  raw: () => binary(nothing),
}

/** The orders in which a format can hold elements. */
export const formatOrders = (format: Format): readonly Order[] =>
  format === 'npy' || format === 'npz' ? ['row-major', 'column-major'] : ['row-major']
