// Methods that people of other libraries try first. Tensors have no operators as methods, so that a bundle holds only
// what it uses; a bare "is not a function" would not say what to write instead.
import { OperandError } from '../errors/index.ts'

export const HINTED: readonly string[] = /* @__PURE__ */ 'map add sub mul div pow sum mean max min cast'.split(' ')

/** Puts methods that say what to write where `bcast/methods` puts those that work. */
export function addHints(prototype: object): void {
  for (const name of HINTED) {
    const value = (): never => {
      throw new OperandError(
        name === 'map'
          ? 'there is no x.map(f): fuse((x) => …) makes a function of tensors.'
          : `there is no x.${name}(…) until you import 'bcast/methods'; ${name}(x, …) is always there.`,
      )
    }
    Object.defineProperty(prototype, name, { value, configurable: true })
  }
}
