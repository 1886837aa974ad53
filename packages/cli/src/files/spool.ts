// Sources that only go forward, made seekable.
import type { ArraySource } from './source.ts'

/**
 * The source itself where it is seekable; else one that reads it once into memory (up to `memory` bytes) or a temporary file that has no name, and
 * may then go back. Closing it closes both.
 */
export declare function rewindable(source: ArraySource, memory: number): Promise<ArraySource>
