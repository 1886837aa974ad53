// Bars of text: a line for the engine and one for the loop, each workload on a scale of its own.
import { bold, dim, green } from '../terminal/colour.ts'
import type { Measured } from './measure.ts'

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of `width` characters for 1, in steps of an eighth. */
export function bar(part: number, width: number): string {
  const eighths = Math.max(1, Math.round(part * width * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8]!
}

const digits = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

const timeText = (ms: number): string => (ms >= 1 ? `${digits(ms)} ms` : `${digits(ms * 1000)} µs`)

const LABEL = 30
const ENDS = LABEL + 7 + 24

/** The lines of one workload in a terminal of `columns` characters. */
export function chartLines({ name, bcast, loop }: Measured, columns: number, colour: boolean): string[] {
  const width = Math.min(40, Math.max(8, columns - ENDS))
  const slowest = Math.max(bcast, loop)
  const ratio = `${digits(loop / bcast)} times as fast`
  const [strong, faint, lit] = colour ? [bold, dim, green] : [String, String, String]
  return [
    `${name.padEnd(LABEL)} bcast ${lit(bar(bcast / slowest, width))} ${timeText(bcast)}, ${strong(ratio)}`,
    `${''.padEnd(LABEL)} loop  ${faint(bar(loop / slowest, width))} ${timeText(loop)}`,
  ]
}
