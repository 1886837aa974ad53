// Calls that are not waited for: whoever has their tensors may give them back meanwhile. Views stand for them, which keep
// the elements until the call has ended, however many steps it takes and whichever of them reads or writes first.
import { isOptions } from '../shape/options.ts'
import { Tensor } from '../tensor/tensor.ts'

/** The tensors among the arguments of a call: operands, also those in an array, and where its result goes. */
export const tensorsIn = (args: readonly unknown[]): readonly Tensor[] =>
  args
    .flat()
    .map((arg) => (isOptions(arg) && 'out' in arg ? arg.out : arg))
    .filter((arg) => arg instanceof Tensor)

/** Computes over views of the tensors among arguments, `out` in options too; where the result is a view, it is whose it is. */
export async function withHeld<T>(
  args: readonly unknown[],
  compute: (own: readonly unknown[]) => Promise<T>,
): Promise<T> {
  const views = new Map<Tensor, Tensor>()
  const held = (value: unknown): unknown => {
    if (value instanceof Tensor) {
      let view = views.get(value)
      if (view === undefined) views.set(value, (view = value.view()))
      return view
    }
    if (Array.isArray(value)) return value.some((each) => each instanceof Tensor) ? value.map(held) : value
    return isOptions(value) && 'out' in value ? { ...value, out: held(value.out) } : value
  }
  try {
    const made = await compute(args.map(held))
    for (const [tensor, view] of views) if ((made as unknown) === view) return tensor as T
    return made
  } finally {
    for (const view of views.values()) view.dispose()
  }
}
