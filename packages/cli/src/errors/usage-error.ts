// A call that cannot be understood; the text says what was expected.
export class UsageError extends Error {
  override name = 'UsageError'
}
