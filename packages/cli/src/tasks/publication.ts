// How a result that is stored in chunks becomes visible: at once, when it is whole. Until then tasks write where no
// reader looks, and what they wrote is found again by whoever goes on.

/** Where tasks write: a store, and what stands before their keys in it. */
export interface Staging {
  readonly store: string
  readonly prefix: string
}

export interface Publication {
  readonly staging: Staging
  /**
   * Clears the way, or with `resume` finds what is there already. Gives the keys of whole objects. Throws where
   * something else than an array would be replaced.
   */
  begin(resume: boolean): Promise<ReadonlySet<string>>
  /** Shows the result, in place of what was there. */
  finish(metadata: object): Promise<void>
  /** Leaves nothing of it. */
  abort(): Promise<void>
}
