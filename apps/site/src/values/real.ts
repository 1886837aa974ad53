// Exact rational numbers are a part of the library of their own, loaded when somebody chooses them.
import { signal } from '@preact/signals'

const isLoaded = signal(false)
let isLoading = false

/** Whether they are there; if not they are on their way. */
export function loadReal(): boolean {
  if (!isLoaded.value && !isLoading) {
    isLoading = true
    import('bcast/real').then(() => {
      isLoaded.value = true
    })
  }
  return isLoaded.value
}
