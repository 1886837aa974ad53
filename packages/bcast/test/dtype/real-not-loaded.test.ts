// Without `import 'bcast/real'` the type real has no arithmetic: the error says which import brings it.
import { cast, DTypeError, tensor } from 'bcast'
import { expect, it } from 'vitest'

it('says what to import', () => {
  const message =
    "element type real needs exact rational arithmetic, which is loaded only on demand: add import 'bcast/real' (it uses the package fraction.js)."
  expect(() => tensor(['1/3'], { dtype: 'real' })).toThrow(DTypeError)
  expect(() => tensor(['1/3'], { dtype: 'real' })).toThrow(message)
  expect(() => cast(tensor([1]), 'real')).toThrow(message)
})
