// Says what keeps the table from being true and complete, one sentence per problem.
import { assess } from './assess.ts'
import type { Document } from './clause.ts'
import type { Evidence } from './collect.ts'

const gaps = (documents: readonly Document[], evidence: Evidence): string[] =>
  documents.flatMap((document) =>
    assess(document, evidence).flatMap(({ clause, code, implemented, tests }) => {
      const { id, deferred, restsOn } = clause
      if (deferred !== undefined) {
        const stale = code.length > 0 && tests.length > 0
        return stale ? [`${id} is deferred (${deferred}), yet has code and a test: it is deferred no more`] : []
      }
      const lacking = restsOn?.filter((rest) => !evidence.code.has(rest)) ?? []
      const through = lacking.length === 0 ? '' : `, nor has ${lacking.join(', ')}, which it follows from`
      return [
        ...(implemented
          ? []
          : [`${id} has no code${through}: say "@clause ${id}" in a comment where it is implemented`]),
        ...(tests.length > 0 ? [] : [`${id} has no test: put [${id}] in the title of the test that shows it`]),
      ]
    }),
  )

const unknownIds = (documents: readonly Document[], evidence: Evidence): string[] => {
  const known = new Set(documents.flatMap(({ clauses }) => clauses.map(({ id }) => id)))
  return [...evidence.code, ...evidence.tests].flatMap(([id, places]) =>
    known.has(id) ? [] : [...new Set(places.map(({ path }) => `${path} names ${id}, which is no clause`))],
  )
}

/** All problems; `committed` is the table as it lies in the repository, `rendered` as it ought to be. */
export const check = (
  documents: readonly Document[],
  evidence: Evidence,
  committed: string | undefined,
  rendered: string,
): string[] => {
  const stale = committed?.replaceAll('\r\n', '\n') !== rendered
  return [
    ...evidence.unreadable,
    ...unknownIds(documents, evidence).sort(),
    ...gaps(documents, evidence),
    ...(stale ? ['docs/traceability.md is stale: run "npm run trace -- --write"'] : []),
  ]
}
