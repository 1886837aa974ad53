// How much work goes into one call of a kernel, and from how much on other threads are worth waking.

/** One call computes at most this many elements: a call that never returns stays in the platform's baseline code. */
export const CHUNK: number = 1 << 20
/** Elements below which waking other threads costs more than they save. */
export const SHARE: number = 1 << 15
