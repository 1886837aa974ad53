// NumPy's names for element types, such as '<f4': which of them bcast has, and what to do about the others.
import type { DType } from '../dtype/dtype.ts'

/** Types with a fixed number of bytes per element: all but string and real. */
export type StoredDType = Exclude<DType, 'string' | 'real'>

/** A type by NumPy's name, and the order of its bytes. */
export interface NumpyType {
  readonly dtype: StoredDType
  readonly littleEndian: boolean
}

const codes: Readonly<Record<string, StoredDType>> = {
  f2: 'float16',
  // NumPy has no bfloat16; the ml_dtypes package, which adds it, saves it as two opaque bytes.
  V2: 'bfloat16',
  f4: 'float32',
  f8: 'float64',
  i1: 'int8',
  i2: 'int16',
  i4: 'int32',
  i8: 'int64',
  u1: 'uint8',
  u2: 'uint16',
  u4: 'uint32',
  u8: 'uint64',
  b1: 'bool',
}

const codeOf = new Map(Object.entries(codes).map(([code, dtype]) => [dtype, code]))

/** The type that a name such as '<f4' means, if bcast has it. '=' and '|' are this machine's order, as in NumPy. */
export function numpyType(name: string): NumpyType | undefined {
  const [, order, code] = /^([<>=|]?)(\w+)$/.exec(name) ?? []
  if (code === undefined || !Object.hasOwn(codes, code)) return undefined
  // Opaque bytes have no order to turn.
  if (code === 'V2' && order === '>') return undefined
  return { dtype: codes[code]!, littleEndian: order !== '>' }
}

/** The name under which NumPy saves a type on this machine. */
export function numpyName(dtype: StoredDType): string {
  const code = codeOf.get(dtype)!
  return `${code.endsWith('1') ? '|' : '<'}${code}`
}

interface Refusal {
  readonly pattern: RegExp
  readonly what: string
  readonly fix: string
}

const save = (what: string): string => `Save numbers in Python: np.save('x.npy', ${what}).`

const refusals: readonly Refusal[] = [
  {
    pattern: /^O/,
    what: 'pickled Python objects, and reading a pickle can run any code, so they are refused',
    fix: save("arr.astype('float64')"),
  },
  { pattern: /^c/, what: 'complex numbers, which bcast does not have', fix: save('arr.real') },
  { pattern: /^[USa]/, what: 'text', fix: save("arr.astype('float64')") },
  { pattern: /^[mM]/, what: 'dates or durations', fix: save("arr.view('int64')") },
  { pattern: /^[fg]/, what: 'floats of a width that bcast does not have', fix: save("arr.astype('float64')") },
]

/** Why a type cannot be read, and what would help. */
export function refusedType(name: string): { readonly what: string; readonly fix: string } {
  const code = name.replace(/^[<>=|]/, '')
  return (
    refusals.find(({ pattern }) => pattern.test(code)) ?? {
      what: 'elements of a type that bcast does not have',
      fix: save("arr.astype('float64')"),
    }
  )
}
