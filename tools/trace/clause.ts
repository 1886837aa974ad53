// What one statement of a broadcasting document is to us. The catalogue in clauses/ is written from the
// documents alone, never from the code, so that a forgotten statement shows up as a gap.

export interface Clause {
  /** `<document>.<part>.<n>`, lower case; never reused for another meaning. */
  readonly id: string
  /** The statement in our own words, one sentence. */
  readonly text: string
  /** The section of the document that makes it. */
  readonly where: string
  /** The clause that this one is a part of: code for the whole counts for the part, tests for the part count for the whole. */
  readonly partOf?: string
  /** Clauses that this one follows from, as an example does: where all of them have code, it needs none of its own. */
  readonly restsOn?: readonly string[]
  /** Why it is neither implemented nor tested yet. */
  readonly deferred?: string
  /** A defect of the document, or how we read it where it is silent. */
  readonly note?: string
}

export interface Document {
  /** First part of the id of each clause. */
  readonly prefix: string
  readonly title: string
  readonly source: string
  readonly clauses: readonly Clause[]
}
