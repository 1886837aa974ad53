// Files that are dropped onto the page, or chosen: arrays give their shapes, texts are read as if they were pasted.
import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { MOST_SHAPES } from '../state/question.ts'
import { shapesText } from '../state/rebase.ts'
import { asked } from '../state/state.ts'
import { update } from '../state/store.ts'

export const fileProblem = signal('')
export const isDropping = signal(false)

async function open(files: readonly File[]): Promise<void> {
  fileProblem.value = ''
  const { readFile } = await import('../recognise/file.ts')
  const contents = await Promise.all(files.slice(0, MOST_SHAPES).map(readFile))
  const problem = contents.find((content) => content.kind === 'problem')
  if (problem !== undefined) {
    fileProblem.value = problem.text
    return
  }
  const text = contents.find((content) => content.kind === 'text')?.text
  const shapes = contents.flatMap((content) => (content.kind === 'array' ? [content.shape] : []))
  update((now) => asked(now, { text: text ?? shapesText(shapes), rule: {} }))
}

function fail(): void {
  fileProblem.value = 'The file cannot be read.'
}

const filesOf = (list: FileList | null | undefined): File[] => [...(list ?? [])]

addEventListener('dragover', (event) => {
  if (!event.dataTransfer?.types.includes('Files')) return
  event.preventDefault()
  isDropping.value = true
})
addEventListener('dragleave', (event) => {
  if (event.relatedTarget === null) isDropping.value = false
})
addEventListener('drop', (event) => {
  isDropping.value = false
  const files = filesOf(event.dataTransfer?.files)
  if (files.length === 0) return
  event.preventDefault()
  open(files).catch(fail)
})

export function FileChoice(): VNode {
  return (
    <label class="file">
      Open files
      <input
        type="file"
        multiple
        accept=".npy,.txt,.log"
        onChange={({ currentTarget }) => {
          open(filesOf(currentTarget.files)).catch(fail)
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
