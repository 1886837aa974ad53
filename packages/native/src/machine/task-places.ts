// What threads of machine code share, and where it lies, whatever processor runs them.

/** Bytes of what threads share; its address is a multiple of them. */
export const SHARED_BYTES = 4096

/** Places there. What is written often lies in a line of the cache of its own. */
export const PLACES = {
  /** The low byte counts parts that nobody has taken, the rest counts tasks. */
  ticket: 0,
  ...{ kernel: 64, parametersAt: 72, parametersSize: 80, threads: 88 },
  /** Parts that have ended. */
  done: 128,
  fault: 136,
  /** Threads that sleep, and whether whoever shares the task does. */
  sleepers: 192,
  waits: 200,
} as const

/**
 * The signals that threads leave to those of the process that know what to do with them: all but 32 to 34, by which C
 * libraries have every thread do the same. Whoever blocks those lets `setuid` wait for ever.
 */
export const BLOCKED_SIGNALS: bigint = BigInt.asUintN(64, ~(7n << 31n))
