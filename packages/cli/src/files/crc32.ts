// The checksum of archives. Node has a fast one since 20.15; before that the library's own does.
import zlib from 'node:zlib'
import { crc32 as byTable } from 'bcast/npy'

/** The checksum of `bytes` behind others, whose own is `before`. */
type Checksum = (bytes: Uint8Array, before?: number) => number

export const crc32: Checksum = (zlib as { readonly crc32?: Checksum }).crc32 ?? byTable
