// A part of the page that is loaded when it is first shown.
import { signal } from '@preact/signals'
import type { ComponentType, VNode } from 'preact'

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => VNode {
  const loaded = signal<ComponentType<P> | 'failed' | undefined>(undefined)
  let isLoading = false
  return (props) => {
    const Part = loaded.value
    if (Part === 'failed') return <p class="note error">This part of the page did not load. Load the page again.</p>
    if (Part !== undefined) return <Part {...props} />
    if (!isLoading) {
      isLoading = true
      load().then(
        (part) => {
          loaded.value = part
        },
        () => {
          loaded.value = 'failed'
        },
      )
    }
    return <p class="note quiet">Loading…</p>
  }
}
