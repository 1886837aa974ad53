// `import { readNpy } from 'bcast/npy'`: NumPy's files as tensors and back, in pages as in Node. What reads streams and
// writes archives piece by piece, such as the command line, finds the parts of the formats here.
export { FormatError } from './errors/index.ts'
export { readNpz, writeNpz } from './npy/archive.ts'
export { type FileBytes, readNpy, writeNpy } from './npy/array.ts'
export { crc32 } from './npy/crc32.ts'
export {
  checkNpySize,
  endsInHeader,
  NPY_MAGIC,
  type NpyDescription,
  type NpyHeader,
  npyHeader,
  npySize,
  type Order,
  parseNpyHeader,
} from './npy/header.ts'
export { type NumpyType, numpyType, refusedType, type StoredDType } from './npy/numpy-type.ts'
export { CHECKSUM_AT, directory, localHeader, record, type StoredFile } from './npy/zip.ts'
