// Files that are dropped onto the page, or chosen: arrays give their shapes, models are checked, texts are read as if
// they were pasted.
import { signal } from '@preact/signals'
import type { VNode } from 'preact'
import { MOST_SHAPES } from '../state/question.ts'
import { asked } from '../state/state.ts'
import { update } from '../state/store.ts'
import { shapesText } from '../state/typed.ts'

export const fileProblem = signal('')
/** What was opened, where the field does not say it. */
export const fileNote = signal('')
export const isDropping = signal(false)

const isModel = ({ name }: File): boolean => /\.onnx$/i.test(name)

async function open(files: readonly File[]): Promise<void> {
  fileProblem.value = ''
  fileNote.value = ''
  const model = files.find(isModel)
  if (model !== undefined) {
    const { openModel } = await import('../model/session.ts')
    openModel(
      model,
      files.filter((file) => file !== model),
    )
    update((now) => ({ ...now, view: 'model', node: undefined }))
    return
  }
  const { readFile } = await import('../recognise/file.ts')
  const contents = await Promise.all(files.slice(0, MOST_SHAPES).map(readFile))
  const problem = contents.find((content) => content.kind === 'problem')
  if (problem !== undefined) {
    fileProblem.value = problem.text
    return
  }
  const text = contents.find((content) => content.kind === 'text')?.text
  const shapes = contents.flatMap((content) => (content.kind === 'array' ? [content.shape] : []))
  fileNote.value = contents
    .flatMap((content, i) =>
      content.kind === 'array' ? [`${files[i]!.name} is ${content.dtype} of shape (${content.shape.join(',')}).`] : [],
    )
    .join(' ')
  update((now) => asked(now, { text: text ?? shapesText(shapes), rule: {} }))
}

/** Opens files, and says what is wrong with them. */
export function openFiles(files: readonly File[]): void {
  if (files.length === 0) return
  open(files).catch(() => {
    fileProblem.value = 'The file cannot be read.'
  })
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
  openFiles(files)
})

export function FileChoice(): VNode {
  return (
    <label class="file">
      Open files
      <input
        type="file"
        multiple
        accept=".onnx,.npy,.txt,.log"
        onChange={({ currentTarget }) => {
          openFiles(filesOf(currentTarget.files))
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
