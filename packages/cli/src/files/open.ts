// From what the user wrote to a source or a sink.
import type { ArrayDescription, ArraySink } from './sink.ts'
import type { ArraySource } from './source.ts'

export interface SourceOptions {
  /** Bytes that the source may hold for itself, such as JSON's elements; what exceeds them goes to a temporary file. Default 64 MiB. */
  readonly memory?: number
}

/**
 * Opens an array for reading; its type and shape are known and checked against the file when the promise resolves.
 *
 * - `x.npy`, `x.json`, `x.pb` (an ONNX TensorProto) by their extension; any other name, and `-` for stdin, by the first bytes (npy, npz, JSON).
 * - `data.npz:x` is member x; without a member the archive must have one only.
 * - `x.bin:float32:2,3` is raw elements, little-endian, row-major; `x.bin:float32` as one axis of what the file has; `-:float32:2,3` from
 *   stdin. A NumPy type names the byte order: `'x.bin:>f4:2,3'`.
 * - `x.json:int64` gives the elements of a JSON file a type (float64 or bool otherwise, unless the file says it).
 */
export declare function openSource(spec: string, options?: SourceOptions): Promise<ArraySource>

/**
 * Opens a place for a result: `y.npy`, `y.npz`, `y.npz:name`, `y.json`, `y.pb`, `y.bin` (raw) by the extension, `-` for .npy on stdout;
 * `:npy`, `:json`, `:pb`, `:raw` behind any name says the format (`-:json`). Regular files are written beside their place and renamed.
 */
export declare function openSink(spec: string, description: ArrayDescription): Promise<ArraySink>
