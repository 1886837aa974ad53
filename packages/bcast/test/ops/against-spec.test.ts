// Every operator on every type it takes, over random shapes that broadcast and random memory layouts, against the
// specification: equal to the bit, within the promised bound for the five functions, or refused at the same index.
import { numpy as specNumpy } from '@bcast/spec'
import { numpy } from 'bcast'
import fc from 'fast-check'
import { describe, it } from 'vitest'
import { sample } from '../support/layouts.ts'
import { operators } from '../support/operators.ts'
import { expectAnswer, settings } from '../support/oracle.ts'
import { numpyShapes } from '../support/shapes.ts'

describe.each(operators)('$title', (operator) => {
  it.each(operator.types)('%s', (dtype) => {
    fc.assert(
      fc.property(
        numpyShapes(operator.operands).chain((shapes) => fc.tuple(...shapes.map((shape) => sample(dtype, shape)))),
        (samples) => {
          expectAnswer(
            {
              operator: operator.name,
              dtype,
              attributes: operator.attributes,
              met: specNumpy(samples.map(({ spec }) => spec.shape)),
              operands: samples.map(({ spec }) => spec),
            },
            () =>
              operator.call(
                samples.map(({ tensor }) => tensor),
                { broadcast: numpy },
              ),
          )
        },
      ),
      settings(5),
    )
  })
})
