// How long work takes, whatever else the machine does: the processor's time, not the clock's.

/** Milliseconds that this process computes for `work`. */
export function processorTime(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/**
 * The best of at most three runs, of which one below `limit` is the last: compilation and collection that fall into
 * another do not count.
 */
export function bestTime(work: () => void, limit: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 3 && best >= limit; run++) best = Math.min(best, processorTime(work))
  return best
}
