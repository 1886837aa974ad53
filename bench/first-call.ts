// What the first call with a new signature costs: a process that has computed something else already builds and runs
// each of several small tasks once. Several processes, and each task keeps its best, as everywhere in the benchmark.
import type { OperandFiles } from './operands.ts'
import type { ReadyPeer } from './peers.ts'
import { PeerProcess } from './process.ts'
import { signatures } from './workloads.ts'

export interface FirstCalls {
  readonly peer: ReadyPeer
  /** Best seconds by task; tasks that the peer cannot do are left out. */
  readonly tasks: ReadonlyMap<string, number>
}

const WARM = {
  op: 'add',
  operands: [
    { dtype: 'float32', shape: [64, 64] },
    { dtype: 'float32', shape: [64, 64] },
  ],
  result: { dtype: 'float32', shape: [64, 64] },
} as const

export async function firstCalls(peer: ReadyPeer, files: OperandFiles, processes: number): Promise<FirstCalls> {
  const tasks = new Map<string, number>()
  for (let i = 0; i < processes; i++) {
    const process = new PeerProcess(peer.command(1))
    await process.ask({ do: 'first', task: files.task(WARM) })
    for (const signature of signatures) {
      const { seconds } = await process.ask({ do: 'first', task: files.task(signature) })
      if (seconds === undefined) continue
      tasks.set(signature.title, Math.min(seconds, tasks.get(signature.title) ?? Number.POSITIVE_INFINITY))
    }
    await process.close()
  }
  return { peer, tasks }
}

/** The time in the middle, and the longest. */
export function summary({ tasks }: FirstCalls): { readonly median: number; readonly worst: number } | undefined {
  const sorted = [...tasks.values()].sort((a, b) => a - b)
  if (sorted.length === 0) return undefined
  return { median: sorted[Math.floor(sorted.length / 2)]!, worst: sorted.at(-1)! }
}
