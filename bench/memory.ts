// Asks a process of its own, for each workload, what it holds beside operands and result. Whatever else a process
// happens to do only adds to it, so one that seems to hold too much is asked again, and the least counts.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { MemoryUse } from './report.ts'
import { MEMORY_PER_THREAD } from './targets.ts'
import { REPLY } from './task.ts'
import type { Workload } from './workload.ts'

const SCRIPT = fileURLToPath(new URL('dist/peers/node/memory.js', import.meta.url))
const PROCESSES = 3
/** The platform's optimising compiler takes a megabyte for itself when it likes, which is not the workload's. */
const FLAGS = ['--expose-gc', '--no-opt']

function once({ op, operands, result, also = [], axes = [] }: Workload, threads: number): number | undefined {
  const task = JSON.stringify({ op, operands, result, also, axes })
  const { stdout } = spawnSync(process.execPath, [...FLAGS, SCRIPT, String(threads), task], { encoding: 'utf8' })
  const line = stdout.split('\n').find((text) => text.startsWith(REPLY))
  return line === undefined ? undefined : (JSON.parse(line.slice(REPLY.length)) as { bytes: number }).bytes
}

export function memoryOf(workloads: readonly Workload[], threads: readonly number[]): MemoryUse[] | { reason: string } {
  if (process.platform !== 'linux') return { reason: 'only Linux tells a process its peak since a moment' }
  // Arrays of the caller take the caller's memory, and a point of the curve over sizes adds nothing.
  const asked = workloads.filter(({ foreign, scaling }) => foreign !== true && scaling !== true)
  if (asked.length === 0) return { reason: 'none of these workloads is asked for it' }
  return asked.flatMap((workload) =>
    threads.flatMap((count) => {
      let least: number | undefined
      for (let i = 0; i < PROCESSES && !(least !== undefined && least <= count * MEMORY_PER_THREAD); i++) {
        const bytes = once(workload, count)
        if (bytes !== undefined) least = Math.min(bytes, least ?? bytes)
      }
      return least === undefined ? [] : [{ workload: workload.title, threads: count, bytes: least }]
    }),
  )
}
