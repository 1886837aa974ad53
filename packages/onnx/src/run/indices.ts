// Walks over the positions of a tensor.

/** Every index into a shape, in row-major order. */
export function* indicesOf(shape: readonly number[]): Generator<readonly number[]> {
  if (shape.length === 0) yield []
  else for (const index of indicesOf(shape.slice(0, -1))) for (let i = 0; i < shape.at(-1)!; i++) yield [...index, i]
}
