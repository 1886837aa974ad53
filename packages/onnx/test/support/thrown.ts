/** What a call throws; nothing thrown is an error of its own. */
export function thrown(call: () => unknown): unknown {
  try {
    call()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}
