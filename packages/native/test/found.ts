// The kinds of machine code that tests run here.
import { needs } from '../../../testing/needs.ts'
import { type Level, levels } from '../src/levels.ts'
import type { Level as LevelOfX86 } from '../src/x86/vectors.ts'

export const found: readonly Level[] = (() => {
  try {
    return levels()
  } catch {
    // Where there should be some, this throws.
    needs('machine-code', false)
    return []
  }
})()

/** Those that products have. */
export const foundOnX86: readonly LevelOfX86[] = found.filter((level) => level !== 'neon')
