// How long work takes, whatever else the machine does: the processor's time, not the clock's.

/** Milliseconds that this process computes for `work`. */
export function processorTime(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** The best of some runs: compilation and collection that fall into one of them do not count. */
export const bestTime = (work: () => void): number => Math.min(...[1, 2, 3].map(() => processorTime(work)))
