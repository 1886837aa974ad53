// What a path inside a store may be: names with slashes between. Asked wherever one comes from outside and wherever a
// file is made of one, so that what is read and what is written lie in the store.
import { FileError } from '../errors/file-error.ts'

/**
 * The names of a path, none for the root of a store. On every system a backslash parts names as a slash does, and what
 * is empty between two is no name, as zarr-python has it. Names of periods alone are refused, as by the specification.
 */
export function namesInside(label: string, path: string): string[] {
  const names = path.split(/[\\/]+/).filter((name) => name !== '')
  const other = names.find((name) => /^\.+$/.test(name))
  if (other === undefined) return names
  throw new FileError(
    label,
    `${JSON.stringify(path)} has ${JSON.stringify(other)} where a name belongs.`,
    'A path inside a store is names with slashes between them, such as group/array.',
  )
}
