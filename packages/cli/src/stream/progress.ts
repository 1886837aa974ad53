// One line on a terminal that says how far a long evaluation is, how fast it goes, and how long it will take.
import { formatBytes } from '../arguments/memory-size.ts'

const WIDTH = 24
/** Milliseconds between two pictures, and before the first: what is over by then needs none. */
const INTERVAL = 100
const PATIENCE = 300
const CLEAR = '\r\u001b[K'

interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const clock = (seconds: number): string => {
  const whole = Math.ceil(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  const padded = (n: number): string => String(n).padStart(2, '0')
  return `${hours > 0 ? `${hours}:${padded(minutes)}` : minutes}:${padded(whole % 60)}`
}

export class Progress {
  readonly #terminal: Terminal | undefined
  readonly #bytes: number
  readonly #now: () => number
  readonly #start: number
  #drawn: number
  #isVisible = false

  /** `bytes`: what is moved in all. Nothing is drawn where `terminal` is none. */
  constructor(terminal: Terminal | undefined, bytes: number, now: () => number = () => performance.now()) {
    this.#terminal = terminal?.isTTY === true ? terminal : undefined
    this.#bytes = bytes
    this.#now = now
    this.#start = now()
    this.#drawn = this.#start + PATIENCE - INTERVAL
  }

  /** `share` of the work is done, from 0 to 1; `counted` says it in other words. */
  update(share: number, counted?: string): void {
    const now = this.#now()
    if (this.#terminal === undefined || now - this.#drawn < INTERVAL) return
    this.#drawn = now
    this.#isVisible = true
    const seconds = (now - this.#start) / 1000
    const filled = Math.floor(share * WIDTH)
    const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
    const rate = `${formatBytes((share * this.#bytes) / seconds)}/s`
    const percent = `${String(Math.floor(share * 100)).padStart(3)} %`
    const left = clock((seconds / share) * (1 - share))
    this.#terminal.write(
      `${CLEAR}${bar} ${percent}${counted === undefined ? '' : `  ${counted}`}  ${rate}  ${left} left`,
    )
  }

  /** Leaves the line as it was. */
  end(): void {
    if (this.#isVisible) this.#terminal!.write(CLEAR)
    this.#isVisible = false
  }
}
