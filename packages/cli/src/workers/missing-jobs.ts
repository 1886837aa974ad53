// Jobs that a queue no longer has, asked for as seldom as that can be found out.
import type { Jobs } from './queue.ts'

/** Jobs that are looked for at a time. */
const PAGE = 64

/** `ids` in the order of submission, which is about that in which they are over: behind a page that is there all are. */
export async function missingJobs(jobs: Jobs, ids: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (let at = 0; at < ids.length; at += PAGE) {
    const page = ids.slice(at, at + PAGE)
    const states = await Promise.all(page.map((id) => jobs.getJobState(id)))
    const gone = page.filter((_, i) => states[i] === 'unknown')
    if (gone.length === 0) break
    missing.push(...gone)
  }
  return missing
}
