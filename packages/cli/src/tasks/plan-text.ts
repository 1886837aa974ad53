// A plan as people read it, before anything runs: how many tasks, what they read and write, what the largest takes.
import { formatBytes } from '../arguments/memory-size.ts'
import { type OutputCodec, objectShape } from '../zarr/output.ts'
import { gridOf } from './grid.ts'
import type { TaskPlan } from './plan.ts'

const sizes = (shape: readonly number[]): string => `(${shape.join()})`

function codecText(codec: OutputCodec): string {
  if (codec.name === 'none') return 'not compressed'
  return codec.level === undefined ? codec.name : `${codec.name}, level ${codec.level}`
}

export function planText(plan: TaskPlan): string {
  const { expression, operands, output, count } = plan
  const { array, place: target } = output
  const block = objectShape(array)
  const cut = array.shards === undefined ? '' : `, in shards of ${sizes(array.shards)}`
  return [
    expression,
    ...operands.map(
      ({ name, place, shape, dtype, isHeld }) =>
        `  ${name}  ${sizes(shape)} ${dtype}, ${isHeld ? 'read once by each thread and held' : 'read by each task'}: ${place}`,
    ),
    `  result  ${sizes(array.shape)} ${array.dtype}, chunks of ${sizes(array.chunks)}${cut}, ${codecText(array.codec)}: ${target.label}`,
    `tasks       ${count}, a grid of ${sizes(gridOf(array.shape, block))}`,
    `read        ${formatBytes(plan.reads)}`,
    `written     ${formatBytes(plan.writes)} before it is compressed`,
    `memory      ${formatBytes(plan.memory)} for the largest task, ${formatBytes(plan.held)} held by each thread`,
    `plan        ${plan.hash}`,
  ].join('\n')
}
