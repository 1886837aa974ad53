// Options of what is no operator: none is taken silently for what the caller did not mean.
import { configure, explain, OperandError, tensor } from 'bcast'
import { expect, it } from 'vitest'

type Loose = (...args: unknown[]) => unknown

it.each([
  ['tensor', (options: unknown) => (tensor as Loose)([1], options), 'dtyp', 'dtype, shape, share'],
  ['explain', (options: unknown) => (explain as Loose)([[1]], options), 'brodcast', 'broadcast, onto'],
  ['configure', (options: unknown) => (configure as Loose)(options), 'thread', 'threads, backend, memory'],
] as const)('%s refuses what it does not know', (name, call, misspelt, known) => {
  for (const wrong of [null, 3, 'int32', [], new Map(), () => 1, tensor([1])]) {
    expect(() => call(wrong)).toThrow(OperandError)
    expect(() => call(wrong)).toThrow(`${name}: options are`)
  }
  expect(() => call({ [misspelt]: 1 })).toThrow(`${name} has no option ${misspelt}; it has ${known}.`)
  expect(() => call({})).not.toThrow()
})

it('tensor says how its options are written to who writes those of another library', () => {
  const loose = tensor as Loose
  expect(() => loose([1, 2, 3, 4], [2, 2])).toThrow('tensor: options are [2, 2]; write { shape: [2, 2] }.')
  expect(() => loose([1, 2, 3, 4], [2, 2], 'int32')).toThrow('write { shape: [2, 2] }')
  expect(() => loose([1.5], 'int32')).toThrow('tensor: options are "int32"; write { dtype: \'int32\' }.')
  expect(() => loose([1], {}, 'int32')).toThrow('tensor takes values and, behind them, { dtype, shape }.')
})

it.each(['threads', 'backend', 'memory'])('configure refuses %s that are no such', (option) => {
  for (const wrong of [null, 'many', 5n, {}, Object.create(null), Symbol('s'), Number.NaN]) {
    expect(() => configure({ [option]: wrong })).toThrow(OperandError)
  }
})
