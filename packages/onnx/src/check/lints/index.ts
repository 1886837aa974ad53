// Every kind of finding, in the order they are reported at one node.
import { checkStructure } from '../../structure/check.ts'
import { atPath, type Lint } from '../finding.ts'
import { assumedDefaults, declaredShapes, dimensionNames, givenSizes } from './declarations.ts'
import { failures } from './failures.ts'
import { required, undecided } from './undecided.ts'
import { ambiguous, legacy, outerProducts } from './unlikely.ts'
import { divisionByZero, ranks, sparse } from './values.ts'

/** A name that nothing defines is one fault, however often it is read; of the other kinds any is like the next. */
const structure: Lint = function* ({ model }) {
  for (const { code, path, message, name, node } of checkStructure(model)) {
    const cause = code === 'undefined-name' ? name! : ''
    yield { ...atPath(code, path, message, name), node, cause }
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
