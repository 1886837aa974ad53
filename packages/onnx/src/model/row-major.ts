// How many elements a shape has, and how far apart they lie in row-major order.
export const countOf = (shape: readonly number[]): number => shape.reduce((product, size) => product * size, 1)

/** For each axis how many elements lie between one place on it and the next. */
export const stepsOf = (shape: readonly number[]): number[] => shape.map((_, axis) => countOf(shape.slice(axis + 1)))
