// The kinds of machine code that tests run here.
import { needs } from '../../../testing/needs.ts'
import { type Level, levels } from '../src/levels.ts'

export const found: readonly Level[] = (() => {
  try {
    return levels()
  } catch {
    // Where there should be some, this throws.
    needs('machine-code', false)
    return []
  }
})()
