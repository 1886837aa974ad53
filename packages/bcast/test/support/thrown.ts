// The error a call throws, for tests that look at its fields; a call that throws nothing fails the test.

export function thrownBy(call: () => unknown): Error {
  try {
    call()
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
