// How wide a report may be. At a terminal it is the terminal that says so; elsewhere lines are long enough for most
// sentences, so that grep finds them whole, and short enough for a log that people read.

/** Where nobody says anything. */
const ELSEWHERE = 120
/** A terminal that has less breaks lines itself: ours would be a word each. */
const LEAST = 40

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
}

/** COLUMNS overrules, as for other programs. */
export function widthOf({ isTTY, columns }: Stream, env: NodeJS.ProcessEnv = process.env): number {
  const asked = /^[1-9]\d*$/.test(env['COLUMNS'] ?? '') ? Number(env['COLUMNS']) : undefined
  return Math.max(LEAST, asked ?? (isTTY === true && columns ? columns : ELSEWHERE))
}
