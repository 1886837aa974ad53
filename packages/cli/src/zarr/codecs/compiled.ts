// zstd, blosc and lz4 as WebAssembly, from metadata.
import type { ByteCodec } from '../metadata/array-metadata.ts'
import { blosc, type CompiledCodec, lz4, zstd } from './numcodecs.js'

type Compiled = Extract<ByteCodec, { name: 'zstd' | 'blosc' | 'lz4' }>

const SHUFFLES = { noshuffle: 0, shuffle: 1, bitshuffle: 2 } as const

export function compiledCodec(codec: Compiled): Promise<CompiledCodec> {
  switch (codec.name) {
    case 'zstd':
      return zstd({ level: codec.level })
    case 'lz4':
      return lz4({ acceleration: codec.acceleration })
    case 'blosc': {
      const { cname, clevel, blocksize, shuffle } = codec
      return blosc({ cname, clevel, blocksize, shuffle: SHUFFLES[shuffle] })
    }
  }
}
