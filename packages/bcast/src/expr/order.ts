// The order in which the parts of an expression or the instructions of a program can be computed.

/**
 * Every part once, close behind those that it is made of. With a list of its own for what is left to do: an expression
 * may be deeper than the call stack.
 */
export function inOrder<T>(root: T, partsOf: (whole: T) => readonly T[]): T[] {
  const order: T[] = []
  const done = new Set<T>()
  const open = [{ whole: root, parts: partsOf(root), next: 0 }]
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const part = top.parts[top.next++]
    if (part === undefined) {
      open.pop()
      if (!done.has(top.whole)) order.push(top.whole)
      done.add(top.whole)
    } else if (!done.has(part)) open.push({ whole: part, parts: partsOf(part), next: 0 })
  }
  return order
}
