// What others see of a tensor's elements. Test runners compare own enumerable properties, and so does whoever else asks
// whether two objects are equal. A copy of the elements in every tensor would take longer than computing them, so each
// has a proxy, which reads them when somebody looks inside.
import type { DType, Storage } from '../dtype/dtype.ts'
import { fromStored } from '../dtype/element.ts'
import type { Real } from '../dtype/real.ts'
import { formatReal } from '../dtype/real-convert.ts'

/** An element as JSON has it: what JSON cannot write, or not exactly, is text. */
export type PlainElement = number | string | boolean

/** The element at `position` of a storage. NaNs are alike, whatever their payload. */
export function plainElement(dtype: DType, storage: Storage, position: number): PlainElement {
  const element = fromStored(dtype, storage, position)
  if (dtype === 'real') return formatReal(element as Real)
  if (Object.is(element, -0)) return '-0'
  const isText = typeof element === 'bigint' || (typeof element === 'number' && !Number.isFinite(element))
  return isText ? String(element) : (element as PlainElement)
}

/** What has elements to show. */
interface Plain {
  toJSON(): { readonly data: readonly PlainElement[] }
}

/** Has a property to show only once somebody looks: giving every tensor one would take far longer than the proxy does. */
class TensorElements {
  readonly #tensor: Plain

  constructor(tensor: Plain) {
    this.#tensor = tensor
  }

  static show(elements: TensorElements): TensorElements {
    // Read anew each time, because elements may be written.
    const get = () => elements.#tensor.toJSON().data
    return Object.defineProperty(elements, 'data', { get, enumerable: true, configurable: true })
  }
}

const { show } = TensorElements

/** Whoever compares goes through the keys of one object and asks the other for each. */
const handler: ProxyHandler<TensorElements> = {
  ownKeys: (elements) => Reflect.ownKeys(show(elements)),
  getOwnPropertyDescriptor: (elements, key) => Reflect.getOwnPropertyDescriptor(show(elements), key),
}

/** The elements of a tensor, for whoever goes through its properties. */
export const elementsOf = (tensor: Plain): object => new Proxy(new TensorElements(tensor), handler)
