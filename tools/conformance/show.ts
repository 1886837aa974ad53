// How shapes and elements print in a failure.

import type { Dim, SymbolicShape } from 'bcast'

function showDim(dim: Dim): string {
  if (dim === null) return '?'
  return typeof dim === 'object' ? `${dim.min}..${dim.max ?? ''}` : String(dim)
}

export const showShape = (shape: SymbolicShape): string =>
  shape === null ? 'a shape of unknown rank' : `shape (${shape.map(showDim).join(',')})`

export const showError = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message.split('\n', 1)[0]}` : `thrown: ${String(error)}`

const SHOWN = 24

export function showElements(elements: readonly unknown[]): string {
  const rest = elements.length > SHOWN ? `, … ${elements.length - SHOWN} more` : ''
  return `[${elements.slice(0, SHOWN).map(String).join(', ')}${rest}]`
}
