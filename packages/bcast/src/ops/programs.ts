// The programs of operators by signature. Signatures are few; the bounds are for callers that vary the number of operands.
import type { DType } from '../dtype/dtype.ts'
import { attributesKey } from '../expr/attributes.ts'
import type { Program } from '../expr/ir.ts'
import { lower } from '../expr/lower.ts'
import type { Attributes, Row } from '../expr/row.ts'

const programs = new Map<string, Program>()
const MAX_PROGRAMS = 512
const MAX_KEPT_OPERANDS = 256

export function programFor(row: Row, dtypes: readonly DType[], attributes: Attributes): Program {
  if (dtypes.length > MAX_KEPT_OPERANDS) return lower(row, dtypes, attributes)
  const key = `${row.name} ${dtypes.join(' ')} ${attributesKey(attributes)}`
  let program = programs.get(key)
  if (program === undefined) {
    program = lower(row, dtypes, attributes)
    if (programs.size >= MAX_PROGRAMS) programs.delete(programs.keys().next().value!)
    programs.set(key, program)
  }
  return program
}
