// What the user wrote for a file, taken apart: a path, and behind a colon a member, a type and shape, or a format.
import { dtypes } from 'bcast'
import { type StoredDType, storedDTypes } from './element.ts'
import { FileError } from './file-error.ts'
import type { Format } from './formats.ts'
import { type NumpyType, numpyType } from './numpy-type.ts'

export interface Place {
  /** As the user wrote it, for messages. */
  readonly label: string
  /** `-` is stdin or stdout. */
  readonly path: string
  /** Undefined where the first bytes decide. */
  readonly format: Format | undefined
  readonly member?: string
  readonly type?: NumpyType
  readonly shape?: readonly number[]
}

const extensions: Readonly<Record<string, Format>> = {
  npy: 'npy',
  npz: 'npz',
  json: 'json',
  pb: 'pb',
  bin: 'raw',
  raw: 'raw',
}

const formatNames: readonly Format[] = ['npy', 'npz', 'json', 'pb', 'raw']

const TYPES = `A type is ${storedDTypes.join(', ')}, or NumPy's name for one, such as '>f4'.`

function formatOf(path: string): Format | undefined {
  const extension = /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(extensions, extension) ? extensions[extension] : undefined
}

function typeOf(label: string, name: string): NumpyType {
  const dtype = storedDTypes.find((each) => each === name)
  const type = dtype === undefined ? numpyType(name) : { dtype, littleEndian: true }
  if (type !== undefined) return type
  const known = (dtypes as readonly string[]).includes(name)
  throw new FileError(
    label,
    `${JSON.stringify(name)} is ${known ? 'a type that files cannot hold' : 'no type'}.`,
    TYPES,
  )
}

function shapeOf(label: string, text: string): number[] {
  const inner = /^[([](.*)[)\]]$/.exec(text)?.[1] ?? text
  const sizes = inner.split(',').map((size) => size.trim())
  if (sizes.at(-1) === '') sizes.pop()
  if (sizes.every((size) => /^\d{1,15}$/.test(size))) return sizes.map(Number)
  throw new FileError(
    label,
    `${JSON.stringify(text)} is no shape.`,
    'A shape is sizes with commas, such as 2,3; a scalar is ().',
  )
}

/** The path and what stands behind its colon. Folders may have colons in their names, and members of archives slashes. */
function parted(spec: string): readonly [path: string, tail: string | undefined] {
  const archive = /^(.*?\.npz):/is.exec(spec)
  const colon =
    archive === null
      ? spec.indexOf(':', Math.max(...['/', '\\'].map((mark) => spec.lastIndexOf(mark))) + 1)
      : archive[1]!.length
  return colon < 0 ? [spec, undefined] : [spec.slice(0, colon), spec.slice(colon + 1)]
}

/** An input. `exists` says whether there is a file of a name, so that a name with a colon can be used. */
export function inputPlace(spec: string, exists: (path: string) => boolean): Place {
  const [path, tail] = spec !== '-' && exists(spec) ? [spec, undefined] : parted(spec)
  const place = { label: spec, path, format: formatOf(path) }
  if (tail === undefined) return place
  if (place.format === 'npz') return { ...place, member: tail }
  const named = formatNames.find((name) => name === tail)
  if (named !== undefined) return { ...place, format: named }
  const [name, shape] = tail.split(/:(.*)/s) as [string, string?]
  const type = typeOf(spec, name)
  if (place.format === 'json' && shape === undefined) return { ...place, type }
  if (place.format !== undefined && place.format !== 'raw') {
    throw new FileError(spec, `a .${place.format} file has its own type and shape.`, `Leave out :${tail}.`)
  }
  return { ...place, format: 'raw', type, ...(shape === undefined ? {} : { shape: shapeOf(spec, shape) }) }
}

/** The elements of a JSON text take a type; nothing else that says its own does. */
export const jsonType = ({ type }: Place): StoredDType | undefined => type?.dtype

const FORMATS = 'Use .npy, .npz, .json, .pb or .bin, or say the format: out:npy, out:json, out:pb, out:raw.'

/** An output; stdout is .npy unless it says otherwise. */
export function outputPlace(spec: string): Place & { readonly format: Format } {
  const [path, tail] = parted(spec)
  const format = path === '-' ? 'npy' : formatOf(path)
  const place = { label: spec, path }
  if (tail !== undefined && format === 'npz') {
    if (tail !== '') return { ...place, format, member: tail.replace(/\.npy$/, '') }
    throw new FileError(spec, 'the name of the member is empty.')
  }
  const named = formatNames.find((name) => name === tail)
  if (tail !== undefined && named === undefined)
    throw new FileError(spec, `${JSON.stringify(tail)} is no format.`, FORMATS)
  if (named !== undefined) return { ...place, format: named }
  if (format === undefined) throw new FileError(spec, 'the name does not say a format.', FORMATS)
  return { ...place, format }
}
