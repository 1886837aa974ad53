// The theme that the reader chose, the same for the playground and the documentation.
import type { Theme } from './picture/palette.ts'

const KEY = 'bcast-theme'

/** Storage may be forbidden, and anything may be in it. */
export function storedTheme(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : undefined
  } catch {
    return undefined
  }
}

export function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // It holds as long as the page does.
  }
}
