// Words of the control block in the shared memory, by number. Constants, so that a minifier puts the numbers in place.

/** The low byte counts the parts that nobody has taken yet, the rest counts steps. */
export const ticket = 0
/** Parts that have ended. */
export const done = 1
export const fault = 2
export const crashed = 3
/** The step under way, in the order of a table's entry. */
export const kernel = 4
export const bytesAt = 5
export const bytesLength = 6
export const parametersAt = 7
export const parametersSize = 8
/** Threads that may take parts; those with a higher number rest. */
export const threads = 9
/** Pages of the memory, for threads that have not seen it grow. */
export const pages = 10
/** Parts of the step; 0 where the calling thread takes parts too, and sees by itself when they have ended. */
export const parts = 11
/** Steps that follow it, and where the next one is described. */
export const stepsLeft = 12
export const nextStep = 13
/** Counts tables of steps that have ended. */
export const ended = 14

export const BYTES = 64
/** Words of a table's entry: those of the control block from the kernel to the size of parameters, and its parts. */
export const STEP_WORDS = 6
