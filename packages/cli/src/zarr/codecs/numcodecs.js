// The codecs of numcodecs, each loaded when it is needed: they hold a megabyte of WebAssembly each. This is JavaScript
// because the declarations of that package do not compile; what is used of it is declared beside.

export const zstd = async (config) => (await import('numcodecs/zstd')).default.fromConfig(config)
export const blosc = async (config) => (await import('numcodecs/blosc')).default.fromConfig(config)
export const lz4 = async (config) => (await import('numcodecs/lz4')).default.fromConfig(config)
