// What the user wrote for a file, taken apart: a path, and behind a colon a member, a type and shape, or a format.
import { dtypes } from 'bcast'
import { type NumpyType, numpyType } from 'bcast/npy'
import { FileError } from '../errors/file-error.ts'
import { type StoredDType, storedDTypes } from './element.ts'
import type { Format } from './formats.ts'

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
  if (text.trim() !== '' && sizes.every((size) => /^\d{1,15}$/.test(size))) return sizes.map(Number)
  throw new FileError(
    label,
    `${JSON.stringify(text)} is no shape.`,
    'A shape is sizes with commas, such as 2,3; a scalar is ().',
  )
}

/** The forms, for help. */
export const FORMS = `Files: x.npy, x.npz:member, x.json, x.pb, x.bin:float32:2,3, - for stdin.
Behind any other name a colon gives the format: x:npz:member, -:json:int64, -:raw:float32:2,3.
Zarr: x.zarr, x.zarr:group/array, x.zarr.zip, s3://bucket/x.zarr, https://host/x.zarr, x:zarr.`

/** Where the path ends: behind .npz, or before the name of a format; folders, files and members may have colons. */
const PATH = new RegExp(`^.*?(?:\\.npz(?=:)|(?=:(?:${formatNames.join('|')})(?::|$)))`, 'is')

/**
 * The path and what stands behind its colon. Folders may have colons in their names, and members of archives slashes.
 */
function parted(spec: string): readonly [path: string, tail: string | undefined] {
  const known = PATH.exec(spec)?.[0].length
  // Times of the day have colons, and names that end like a file's are names of files: run-12:30.npy.
  if (known === undefined && formatOf(spec) !== undefined) return [spec, undefined]
  const colon = known ?? spec.indexOf(':', Math.max(...['/', '\\'].map((mark) => spec.lastIndexOf(mark))) + 1)
  return colon < 0 ? [spec, undefined] : [spec.slice(0, colon), spec.slice(colon + 1)]
}

/** What stands before the first colon, and behind it. */
const split = (text: string): readonly [first: string, rest?: string] => text.split(/:(.*)/s) as [string, string?]

/** What is said of an array beside its format: the member of an archive, a type, a shape. */
function detailsOf(label: string, format: Format, text: string): Pick<Place, 'member' | 'type' | 'shape'> {
  if (format === 'npz') return { member: text }
  const [name, shape] = split(text)
  const type = typeOf(label, name)
  if (format === 'raw') return shape === undefined ? { type } : { type, shape: shapeOf(label, shape) }
  if (format === 'json' && shape === undefined) return { type }
  throw new FileError(label, `a .${format} file has its own type and shape.`, `Leave out :${text}.`)
}

/** An input. `exists` says whether there is a file of a name, so that a name with a colon can be used. */
export function inputPlace(spec: string, exists: (path: string) => boolean): Place {
  const [path, tail] = spec !== '-' && exists(spec) ? [spec, undefined] : parted(spec)
  const place = { label: spec, path, format: formatOf(path) }
  if (tail === undefined) return place
  if (place.format === 'npz') return { ...place, ...detailsOf(spec, 'npz', tail) }
  const [first, rest] = split(tail)
  const named = formatNames.find((name) => name === first)
  if (named === undefined) {
    const format = place.format ?? 'raw'
    return { ...place, format, ...detailsOf(spec, format, tail) }
  }
  return { ...place, format: named, ...(rest === undefined ? {} : detailsOf(spec, named, rest)) }
}

/** What to write to say more of an array than `label` does, such as a member: `x.npz:a`, `x:npz:a`, `-:npz:a`. */
export const detailed = (label: string, format: Format, details: string): string =>
  formatOf(label) === format || label.endsWith(`:${format}`) ? `${label}:${details}` : `${label}:${format}:${details}`

/** The elements of a JSON text take a type; nothing else that says its own does. */
export const jsonType = ({ type }: Place): StoredDType | undefined => type?.dtype

const FORMATS =
  'Use .npy, .npz, .json, .pb, .bin or .zarr, or say the format: out:npy, out:npz:member, out:json, out:pb, out:raw.'

/** An output; stdout and devices are .npy unless it says otherwise. */
export function outputPlace(spec: string): Place & { readonly format: Format } {
  const [path, tail] = parted(spec)
  const format = path === '-' || path.startsWith('/dev/') ? 'npy' : formatOf(path)
  const place = { label: spec, path }
  const member = format === 'npz' ? tail : /^npz:(.*)$/s.exec(tail ?? '')?.[1]
  if (member !== undefined) return { ...place, format: 'npz', member: member.replace(/\.npy$/, '') }
  const named = formatNames.find((name) => name === tail)
  if (tail !== undefined && named === undefined)
    throw new FileError(spec, `${JSON.stringify(tail)} is no format.`, FORMATS)
  if (named !== undefined) return { ...place, format: named }
  if (format === undefined) throw new FileError(spec, 'the name does not say a format.', FORMATS)
  return { ...place, format }
}
