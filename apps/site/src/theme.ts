// Light or dark: as the system has it, unless the reader chose. Pictures have their colours as attributes, so the page
// has to know.
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Theme } from './picture/palette.ts'

const KEY = 'bcast-theme'
const dark = matchMedia('(prefers-color-scheme: dark)')
const system = signal<Theme>(dark.matches ? 'dark' : 'light')
dark.addEventListener('change', () => {
  system.value = dark.matches ? 'dark' : 'light'
})

/** Storage may be forbidden, and anything may be in it. */
function stored(): Theme | undefined {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : undefined
  } catch {
    return undefined
  }
}

const chosen = signal<Theme | undefined>(stored())

export const theme: ReadonlySignal<Theme> = computed(() => chosen.value ?? system.value)

function show(): void {
  if (chosen.value === undefined) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen.value
}

show()

export function switchTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark'
  show()
  try {
    localStorage.setItem(KEY, chosen.value)
  } catch {
    // It holds as long as the page does.
  }
}
