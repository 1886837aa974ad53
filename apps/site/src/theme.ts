// Light or dark: as the system has it, unless the reader chose. Pictures have their colours as attributes, so the page
// has to know.
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { Theme } from './picture/palette.ts'
import { storedTheme, storeTheme } from './stored-theme.ts'

const dark = matchMedia('(prefers-color-scheme: dark)')
const system = signal<Theme>(dark.matches ? 'dark' : 'light')
dark.addEventListener('change', () => {
  system.value = dark.matches ? 'dark' : 'light'
})

const chosen = signal<Theme | undefined>(storedTheme())

export const theme: ReadonlySignal<Theme> = computed(() => chosen.value ?? system.value)

function show(): void {
  if (chosen.value === undefined) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen.value
}

show()

export function switchTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark'
  show()
  storeTheme(chosen.value)
}
