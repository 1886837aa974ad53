// What the submitter and the workers of the measurement agree on.

export const VERSION = 'bench'
/** Jobs that a worker has at a time. */
export const AT_ONCE = 8
