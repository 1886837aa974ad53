// Methods that people of other libraries try first. Tensors have no operators as methods, so that a bundle holds only
// what it uses; a bare "is not a function" would not say what to write instead.
import { OperandError } from '../errors/index.ts'

export const HINTED: readonly string[] = /* @__PURE__ */ 'map add sub mul div sum mean max'.split(' ')

/** Puts methods that say what to write where `bcast/methods` puts those that work. */
export function addHints(prototype: object): void {
  for (const name of HINTED) {
    const value = (): never => {
      const instead = name === 'map' ? 'fuse((x) => …)' : `${name}(x, …), or import 'bcast/methods'`
      throw new OperandError(`there is no x.${name}(…); write ${instead}.`)
    }
    Object.defineProperty(prototype, name, { value, configurable: true })
  }
}
