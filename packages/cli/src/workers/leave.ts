// Goodbyes that do not wait for whoever is away.
import { PATIENCE } from './queue-error.ts'

/** Resolves when a promise is settled, in whichever way, or it takes too long. */
export const within = (milliseconds: number, promise: Promise<unknown>): Promise<unknown> => {
  let timer: NodeJS.Timeout
  const late = new Promise((resolve) => (timer = setTimeout(resolve, milliseconds)))
  return Promise.race([promise.catch(() => {}), late]).finally(() => clearTimeout(timer))
}

export async function leave(each: { close(): Promise<void>; disconnect(): Promise<void> }): Promise<void> {
  await within(PATIENCE, each.close())
  await within(PATIENCE, each.disconnect())
}
