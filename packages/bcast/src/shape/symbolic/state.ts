// What is known while a formula is solved: which symbols are one size, and which sizes each can still have.
import type { Domain } from './domain.ts'

export interface State {
  /** Symbol -> the symbol that stands for its class. */
  readonly parent: number[]
  /** Domain of each class, at its representative. */
  readonly domains: Domain[]
}

export const find = ({ parent }: State, symbol: number): number => {
  let root = symbol
  while (parent[root] !== root) root = parent[root]!
  return root
}

export const copy = (state: State): State => ({ parent: [...state.parent], domains: [...state.domains] })
