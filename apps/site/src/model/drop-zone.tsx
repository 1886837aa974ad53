// Where a model is put: anywhere on the page, or by choosing a file. What happens to it stands beside.
import type { VNode } from 'preact'
import { isDropping, openFiles } from '../parts/files.tsx'

export function DropZone({ label }: { readonly label: string }): VNode {
  return (
    <div class={isDropping.value ? 'drop dropping' : 'drop'}>
      <label class="file">
        {label}
        <input
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            openFiles([...(currentTarget.files ?? [])])
            currentTarget.value = ''
          }}
        />
      </label>
      <span> or drop it anywhere on this page.</span>
      <p class="quiet small">
        The model is read and checked in this page. Nothing is uploaded. Weights in files of their own may come along:
        choose or drop them together.
      </p>
    </div>
  )
}
