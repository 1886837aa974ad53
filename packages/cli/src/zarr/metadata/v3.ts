// zarr.json of an array. What it says must be understood in full: elements that are read wrongly are worse than none.
import { type StoredDType, storedDTypes } from '../../files/element.ts'
import type { ArrayMetadata, KeyEncoding } from './array-metadata.ts'
import { codecsOf } from './codecs.ts'
import { fillOf } from './fill.ts'
import { isFields, shownValue } from './json.ts'
import type { Described } from './metadata-error.ts'

const KNOWN = [
  'zarr_format',
  'node_type',
  'shape',
  'data_type',
  'chunk_grid',
  'chunk_key_encoding',
  'fill_value',
  'codecs',
  'attributes',
  'storage_transformers',
  'dimension_names',
]

function checkExtensions(file: Described): void {
  const { fields } = file
  for (const [name, value] of Object.entries(fields)) {
    if (KNOWN.includes(name) || (isFields(value) && value['must_understand'] === false)) continue
    throw file.error(`it has a field ${shownValue(name)} that must be understood to read it, and is not.`)
  }
  const transformers = fields['storage_transformers'] ?? []
  if (!Array.isArray(transformers)) throw file.wrong('storage_transformers', 'a list')
  if (transformers.length === 0) return
  throw file.error(`storage transformers are not supported, and it has ${shownValue(transformers)}.`)
}

/** The name and configuration of an extension point. */
function extension(file: Described, name: string): readonly [kind: unknown, configuration: Record<string, unknown>] {
  const value = file.fields[name]
  if (typeof value === 'string') return [value, {}]
  if (!isFields(value)) throw file.wrong(name, 'an object with a name')
  const { configuration = {} } = value
  if (!isFields(configuration)) throw file.wrong(name, 'an object whose configuration is one too')
  return [value['name'], configuration]
}

function typeOf(file: Described): StoredDType {
  const { data_type: type } = file.fields
  const dtype = storedDTypes.find((each) => each === type)
  if (dtype !== undefined) return dtype
  const name = isFields(type) ? type['name'] : type
  throw file.error(`data type ${shownValue(name)} is not supported; ${storedDTypes.join(', ')} are.`)
}

function gridOf(file: Described, rank: number): number[] {
  const [kind, configuration] = extension(file, 'chunk_grid')
  if (kind !== 'regular') throw file.error(`chunk grid ${shownValue(kind)} is not supported; "regular" is.`)
  const chunks = file.sizes('chunk_shape', configuration['chunk_shape'], 1)
  if (chunks.length === rank) return chunks
  throw file.error(`chunk_shape has ${chunks.length} axes, and shape has ${rank}.`)
}

function keysOf(file: Described): KeyEncoding {
  const [kind, { separator }] = extension(file, 'chunk_key_encoding')
  if (kind !== 'default' && kind !== 'v2') {
    throw file.error(`chunk key encoding ${shownValue(kind)} is not supported; "default" and "v2" are.`)
  }
  const usual = kind === 'default' ? '/' : '.'
  return { name: kind, separator: file.word('separator', separator ?? usual, ['/', '.']) }
}

export function arrayV3(file: Described): ArrayMetadata {
  checkExtensions(file)
  const { fields } = file
  const dtype = typeOf(file)
  const shape = file.sizes('shape', fields['shape'], 0)
  const chunks = gridOf(file, shape.length)
  const keys = keysOf(file)
  const fill = fillOf(dtype, fields['fill_value'])
  if (fill === undefined) throw file.wrong('fill_value', `one element of ${dtype}`)
  return { version: 3, dtype, shape, chunks, keys, fill, ...codecsOf(file, fields['codecs'], dtype, chunks) }
}
