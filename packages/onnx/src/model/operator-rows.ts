// Rows of operators by the version of their set: an operator may have several, each from one version on until the next.

export interface OperatorRow {
  /** ONNX's own unless said. */
  readonly domain?: string
  readonly name: string
  /** The first version of the operator set that it holds for; 1 unless said. */
  readonly since?: number
}

const keyOf = (domain: string, name: string): string => `${domain}:${name}`

export class OperatorRows<R extends OperatorRow> {
  /** The rows of each operator, the newest first. */
  readonly #versions = new Map<string, R[]>()

  constructor(rows: readonly R[]) {
    for (const row of rows) {
      const key = keyOf(row.domain ?? '', row.name)
      const versions = [...(this.#versions.get(key) ?? []), row]
      this.#versions.set(
        key,
        versions.sort((a, b) => (b.since ?? 1) - (a.since ?? 1)),
      )
    }
  }

  /** The row that holds for an operator at a version of its set. */
  at(domain: string, name: string, opset: number): R | undefined {
    return this.#versions.get(keyOf(domain, name))?.find(({ since = 1 }) => since <= opset)
  }

  /** The oldest row of each operator. */
  oldest(): readonly R[] {
    return [...this.#versions.values()].map((versions) => versions.at(-1)!)
  }
}
