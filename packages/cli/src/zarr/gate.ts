// Lets a few through at a time. What is fetched and decoded takes memory, whoever asked for it.

export class Gate {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }
}

/** Waits for all, also where one fails: nothing is under way any more when its error is told. */
export async function allSettled(tasks: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(tasks)
  await Promise.all(tasks)
}
