// The memory that codecs take, as a plan counts it before anything is read or written.

/** Bytes that reading or writing objects takes beside the elements. */
export interface CodecMemory {
  /** As long as the array is open. */
  readonly stays: number
  /** While an object is under way. */
  readonly passes: number
  /** In codecs of WebAssembly by their names: whatever uses one of them uses the same memory. */
  readonly inside: ReadonlyMap<string, number>
}

/** What a codec of WebAssembly holds is its own, before and after; it stays from the first time on. */
export const insideOf = (names: Iterable<string>, bytes: number): ReadonlyMap<string, number> =>
  new Map([...names].map((name) => [name, bytes]))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** What all of them take together: what one step of a task has used is there for the next. */
export function memoryTogether(reading: readonly CodecMemory[], writing: CodecMemory): number {
  const all = [...reading, writing]
  const inside = new Map<string, number>()
  for (const [name, bytes] of all.flatMap((each) => [...each.inside])) {
    inside.set(name, Math.max(bytes, inside.get(name) ?? 0))
  }
  const passes = Math.max(sum(reading.map((each) => each.passes)), writing.passes)
  return sum(all.map(({ stays }) => stays)) + sum([...inside.values()]) + passes
}
