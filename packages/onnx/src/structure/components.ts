// Strongly connected components of a directed graph (Tarjan), without recursion: a model may chain a million nodes.

/** Components with a cycle, each in ascending order; `next` gives the successors of a vertex. */
export function cyclesOf(count: number, next: (vertex: number) => readonly number[]): number[][] {
  const order = new Int32Array(count).fill(-1)
  const low = new Int32Array(count)
  const onStack = new Uint8Array(count)
  const stack: number[] = []
  const cycles: number[][] = []
  let counter = 0

  const open = (vertex: number): { vertex: number; at: number; successors: readonly number[] } => {
    order[vertex] = low[vertex] = counter++
    stack.push(vertex)
    onStack[vertex] = 1
    return { vertex, at: 0, successors: next(vertex) }
  }

  const close = (vertex: number, successors: readonly number[]): void => {
    if (low[vertex] !== order[vertex]) return
    const members = stack.splice(stack.lastIndexOf(vertex))
    for (const member of members) onStack[member] = 0
    if (members.length > 1 || successors.includes(vertex)) cycles.push(members.sort((a, b) => a - b))
  }

  for (let root = 0; root < count; root++) {
    if (order[root] !== -1) continue
    const path = [open(root)]
    while (path.length > 0) {
      const frame = path.at(-1)!
      const { vertex, successors } = frame
      if (frame.at < successors.length) {
        const to = successors[frame.at++]!
        if (order[to] === -1) path.push(open(to))
        else if (onStack[to]) low[vertex] = Math.min(low[vertex]!, order[to]!)
        continue
      }
      close(vertex, successors)
      path.pop()
      const before = path.at(-1)
      if (before !== undefined) low[before.vertex] = Math.min(low[before.vertex]!, low[vertex]!)
    }
  }
  return cycles
}
