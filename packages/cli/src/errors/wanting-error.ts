// Input that is understood and found wanting: the call is right, and the answer is that it does not work. Exit code 1.
export class WantingError extends Error {
  override name = 'WantingError'
}
