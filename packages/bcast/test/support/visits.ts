// Loops walked one element at a time: the positions of all operands, visit by visit.

/** Where each operand is at every step of the loops, the last loop fastest. */
export const visits = (
  sizes: readonly number[],
  strides: readonly (readonly number[])[],
  shifts: readonly number[] = strides.map(() => 0),
): number[][] =>
  sizes.reduce<number[][]>(
    (outer, size, axis) =>
      outer.flatMap((at) =>
        Array.from({ length: size }, (_, i) => at.map((position, operand) => position + i * strides[operand]![axis]!)),
      ),
    [[...shifts]],
  )

/** The same visits in one order, for loops that may come in any. */
export const inOrder = (all: readonly (readonly number[])[]): string[] => all.map((at) => at.join()).sort()
