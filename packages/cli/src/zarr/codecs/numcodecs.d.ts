/** A codec that runs in WebAssembly. What it throws need not be an Error. */
export interface CompiledCodec {
  encode(bytes: Uint8Array): Promise<Uint8Array>
  decode(bytes: Uint8Array): Promise<Uint8Array>
}

export function zstd(config: { readonly level: number }): Promise<CompiledCodec>
export function blosc(config: {
  readonly cname: string
  readonly clevel: number
  readonly shuffle: 0 | 1 | 2
  readonly blocksize: number
}): Promise<CompiledCodec>
export function lz4(config: { readonly acceleration: number }): Promise<CompiledCodec>
