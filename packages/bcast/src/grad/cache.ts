// What was prepared for operands of some types and shapes; the oldest goes where there are many.
import type { Tensor } from '../tensor/tensor.ts'

/** The bound is for callers whose shapes never repeat. */
const MOST = 256

export class Cache<T> {
  readonly #known = new Map<string, T>()

  get(inputs: readonly Pick<Tensor, 'dtype' | 'shape'>[], make: () => T): T {
    const key = inputs.map(({ dtype, shape }) => `${dtype} ${shape.join()}`).join(';')
    let own = this.#known.get(key)
    if (own === undefined) {
      own = make()
      if (this.#known.size >= MOST) this.#known.delete(this.#known.keys().next().value!)
      this.#known.set(key, own)
    }
    return own
  }
}
