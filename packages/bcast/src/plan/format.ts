// A plan as text, for tests, documentation and whoever wonders why a call is fast or slow.
import type { Copies } from './copies.ts'
import type { KernelRun } from './kernels.ts'
import type { Loops } from './loops.ts'
import type { Piece, Plan, PlannedPass } from './plan.ts'
import { formatSignature } from './signature.ts'

const times = (sizes: readonly number[]): string => sizes.join(' x ')

/** Sizes of loops, and strides of each operand in them, the result's last. */
function loopsText({ sizes, strides, shifts }: Loops): string {
  const operands = strides.map((own, i) => `[${own.join(' ')}]${shifts[i] === 0 ? '' : ` from ${shifts[i]}`}`)
  return `${times(sizes)}: ${operands.slice(0, -1).join(', ')} -> ${operands.at(-1)}`
}

const nameOf = (operand: number, operands: number): string =>
  operand === operands - 1 ? 'the result' : `operand ${operand}`

function copyLines({ memory, repeated, whole, tiles, bytes }: Copies, operands: number): string[] {
  if (bytes === 0) return []
  const name = (operand: number): string => nameOf(operand, operands)
  return [
    `copies in ${memory} memory, ${bytes} bytes`,
    ...repeated.map(
      ({ operand, period, length }) => `  ${name(operand)}: its ${period} elements over and over, ${length}`,
    ),
    ...whole.map(
      ({ operand, packing }) => `  ${name(operand)}: whole, ${packing.length} as [${packing.strides.join(' ')}]`,
    ),
    ...(tiles === undefined
      ? []
      : [`  in tiles of ${times(tiles.sizes)}: ${tiles.places.map(({ operand }) => name(operand)).join(', ')}`]),
  ]
}

const kernelText =
  (machine: boolean) =>
  ({ signature, loops, split }: KernelRun): string => {
    const parts = split.parts === 1 ? 'one part' : `${split.parts} parts, ${split.length} of loop ${split.loop} each`
    const kind = machine ? 'machine code' : 'kernel'
    return `${kind} ${formatSignature(signature)}, ${signature.lanes} lanes, over ${loopsText(loops)}; ${parts}`
  }

const pieceLines = ({ loops, copies, kernels, tile, machine }: Piece): string[] => [
  `loops ${loopsText(loops)}`,
  ...[
    ...copyLines(copies, loops.strides.length),
    ...kernels.map(kernelText(machine === true)),
    ...(tile === undefined ? [] : [`kernel ${formatSignature(tile)}, ${tile.lanes} lanes, over each tile`]),
  ].map((line) => `  ${line}`),
]

function passLines({ program, sources, room, pieces }: PlannedPass): string[] {
  const read = sources.map((source) => ('room' in source ? `room ${source.room}` : `operand ${source.operand}`))
  const target = room === undefined ? 'the result' : `room ${room}`
  const head = `${program.code.at(-1)!.op} of ${program.code.length} instructions: ${read.join(', ')} -> ${target}`
  return [head, ...pieces.flatMap(pieceLines).map((line) => `  ${line}`)]
}

export function formatPlan({ rooms, chunks }: Plan): string {
  return [
    ...rooms.map(({ dtype, count }, i) => `room ${i}: ${count} of ${dtype}`),
    ...chunks.flatMap(({ shape, shifts, passes }) => [
      `chunk (${shape.join()})${shifts.every((shift) => shift === 0) ? '' : ` from [${shifts.join(' ')}]`}`,
      ...passes.flatMap(passLines).map((line) => `  ${line}`),
    ]),
  ].join('\n')
}
