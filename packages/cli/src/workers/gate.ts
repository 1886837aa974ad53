// Who may begin: as many as there is room for, in the order in which they came, and nobody when it is time to stop.

interface Waiting {
  readonly size: number
  readonly begin: (mayBegin: boolean) => void
}

export class Gate {
  #room: number
  #isOpen = true
  readonly #waiting: Waiting[] = []

  constructor(room: number) {
    this.#room = room
  }

  /** Waits for room of this size; false where nobody begins any more. */
  enter(size: number): Promise<boolean> {
    return new Promise((begin) => {
      this.#waiting.push({ size, begin })
      this.#admit()
    })
  }

  leave(size: number): void {
    this.#room += size
    this.#admit()
  }

  /** Those who wait go away. */
  close(): void {
    this.#isOpen = false
    this.#admit()
  }

  #admit(): void {
    for (;;) {
      const next = this.#waiting[0]
      if (next === undefined || (this.#isOpen && next.size > this.#room)) return
      this.#waiting.shift()
      if (this.#isOpen) this.#room -= next.size
      next.begin(this.#isOpen)
    }
  }
}
