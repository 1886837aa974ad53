// Joins catalogue and evidence: for each clause the code behind it and the tests that show it. The check
// and the table both read this, so that they cannot disagree.
import type { Clause, Document } from './clause.ts'
import type { CodePlace, Evidence, TestPlace } from './collect.ts'

export interface Assessment {
  readonly clause: Clause
  /** Code tagged with the clause, or with the clause it is a part of. */
  readonly code: readonly CodePlace[]
  readonly implemented: boolean
  /** Tests tagged with the clause, or with one of its parts. */
  readonly tests: readonly TestPlace[]
}

export const assess = (document: Document, evidence: Evidence): Assessment[] => {
  const codeOf = (id: string): readonly CodePlace[] => evidence.code.get(id) ?? []
  const testsOf = (id: string): readonly TestPlace[] => evidence.tests.get(id) ?? []
  return document.clauses.map((clause) => {
    const own = codeOf(clause.id)
    const code = own.length === 0 && clause.partOf !== undefined ? codeOf(clause.partOf) : own
    const follows = clause.restsOn?.every((id) => codeOf(id).length > 0) ?? false
    const parts = document.clauses.filter(({ partOf }) => partOf === clause.id)
    const ownTests = testsOf(clause.id)
    const tests = ownTests.length === 0 ? parts.flatMap(({ id }) => testsOf(id)) : ownTests
    return { clause, code, implemented: code.length > 0 || follows, tests }
  })
}
