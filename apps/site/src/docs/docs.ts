// What a page of the documentation does beside being read: it switches the theme, copies code, and searches.
import type { Theme } from '../picture/palette.ts'
import { storeTheme } from '../stored-theme.ts'

const root = document.documentElement
const dark = matchMedia('(prefers-color-scheme: dark)')
const shownTheme = (): Theme => (root.dataset['theme'] as Theme | undefined) ?? (dark.matches ? 'dark' : 'light')

const themeButton = document.querySelector<HTMLButtonElement>('button.theme')!
const nameTheme = (): void => {
  themeButton.textContent = shownTheme() === 'dark' ? 'Light' : 'Dark'
}
nameTheme()
dark.addEventListener('change', nameTheme)
themeButton.addEventListener('click', () => {
  const theme = shownTheme() === 'dark' ? 'light' : 'dark'
  root.dataset['theme'] = theme
  storeTheme(theme)
  nameTheme()
})

for (const box of document.querySelectorAll<HTMLElement>('.code:not(.output)')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    const text = box.querySelector('code')!.textContent ?? ''
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Not allowed',
    )
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  box.append(button)
}

const dialog = document.querySelector<HTMLDialogElement>('dialog.search')!

/** Opens the search; what it takes is loaded the first time. */
async function find(): Promise<void> {
  if (dialog.open) return
  dialog.showModal()
  const { startSearch } = await import('./search.ts')
  await startSearch(dialog)
}

// A field of a search would only be emptied.
dialog.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') dialog.close()
})
document.querySelector('button.find')!.addEventListener('click', () => void find())
document.addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event
  const isTyping =
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  const isAsked = (key === '/' && !isTyping && !ctrlKey && !metaKey && !altKey) || (key === 'k' && (ctrlKey || metaKey))
  if (!isAsked) return
  event.preventDefault()
  void find()
})
