// The process that runs damaged Zarr stores. Arguments: seed, first, end.
import { work } from '../work.ts'
import { exercise } from './exercise.ts'
import { makeInput } from './input.ts'

await work({
  make: makeInput,
  sizeOf: ({ objects }) => [...objects.values()].reduce((sum, { length }) => sum + length, 0),
  isMeasured: ({ mutations }) => mutations.includes('hugeSize') || mutations.includes('absurdExtent'),
  exercise,
})
