// When values are given back: for every step of a block, those that nobody needs behind it. What blocks read from outside
// is needed as long as the node that holds them.
import type { Block, Slot, Step } from './program.ts'

/** Slots that steps fill. */
const madeBy = (step: Step): readonly Slot[] =>
  step.kind === 'fused' ? [step.output] : step.node.outputs.filter((slot) => slot !== undefined)

const readBy = (step: Step): readonly Slot[] =>
  step.kind === 'fused'
    ? step.inputs
    : [...step.node.inputs.filter((slot) => slot !== undefined), ...step.node.captured]

/** Says for every step which values nobody needs behind it; those of the outside are not its to give back. */
export function withReleases(
  steps: readonly Step[],
  kept: ReadonlySet<Slot>,
): Pick<Block, 'steps' | 'made' | 'separate'> {
  const made = new Set(steps.flatMap(madeBy))
  const separate = new Set(steps.flatMap((step) => (step.kind === 'kernel' && step.node.row.views ? [] : madeBy(step))))
  const gone = new Set(kept)
  const released = steps.toReversed().map((step): Step => {
    const last = [...new Set([...readBy(step), ...madeBy(step)])].filter((slot) => made.has(slot) && !gone.has(slot))
    for (const slot of last) gone.add(slot)
    return { ...step, released: last }
  })
  return { steps: released.reverse(), made, separate }
}

/** Slots that blocks read and do not fill. */
export function capturedBy(blocks: Iterable<Block>): readonly Slot[] {
  const captured = new Set<Slot>()
  for (const { inputs, outputs, steps, made } of blocks) {
    const own = new Set(inputs)
    for (const slot of [...steps.flatMap(readBy), ...outputs]) if (!made.has(slot) && !own.has(slot)) captured.add(slot)
  }
  return [...captured]
}
