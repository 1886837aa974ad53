// The process that runs damaged files. Arguments: npy or npz, seed, first, end.
import { work } from '../work.ts'
import { exercise } from './exercise.ts'
import { type Kind, makeInput } from './input.ts'

const kind = process.argv[2] as Kind

await work({
  make: (seed, index) => makeInput(kind, seed, index),
  sizeOf: ({ bytes }) => bytes.length,
  isMeasured: ({ mutations }) => mutations.includes('bomb'),
  exercise: ({ bytes }) => exercise(kind, bytes),
})
