// What the submitter and the workers of the measurement agree on.

export const VERSION = 'bench'
/** Of a worker; each has two jobs at a time. */
export const THREADS = 4
