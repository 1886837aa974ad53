// The folders beside an array where its successor is made, and where it lies until that has its place. They are for who
// writes alone.
export const STAGED = '.bcast-tasks'
export const REPLACED = '.bcast-old'

/** Whether a path leads through one of them. */
export const isStaged = (path: string): boolean =>
  path.split('/').some((name) => name.startsWith('.') && (name.endsWith(STAGED) || name.endsWith(REPLACED)))
