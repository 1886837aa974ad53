// Objects are read whole, so one that is larger than what belongs there is refused before memory is taken for it.
import { ChunkError } from '../chunk-error.ts'

export const tooLarge = (label: string, key: string, bytes: number, most: number): ChunkError =>
  new ChunkError(label, key, `it has ${bytes} bytes, where at most ${most} can be right.`)
