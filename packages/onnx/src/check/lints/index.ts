// Every kind of finding, in the order they are reported at one node.
import { checkStructure } from '../../structure/check.ts'
import { atPath, type Lint } from '../finding.ts'
import { assumedDefaults, declaredShapes, dimensionNames, givenSizes } from './declarations.ts'
import { failures } from './failures.ts'
import { required, undecided } from './undecided.ts'
import { ambiguous, legacy, outerProducts } from './unlikely.ts'
import { divisionByZero, ranks, sparse } from './values.ts'

const structure: Lint = function* ({ model }) {
  for (const { code, path, message, name, node } of checkStructure(model)) {
    yield { ...atPath(code, path, message, name), node }
  }
}

export const lints: readonly Lint[] = [
  structure,
  givenSizes,
  assumedDefaults,
  failures,
  divisionByZero,
  undecided,
  required,
  outerProducts,
  ambiguous,
  legacy,
  dimensionNames,
  declaredShapes,
  ranks,
  sparse,
]
