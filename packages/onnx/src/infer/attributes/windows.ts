// Windows of convolutions and pools: sizes along each spatial axis, and where pads come from.
import { intOf, intsOf, isSet, type Judging, type Said, textOf } from './said.ts'

type PerAxis = 'strides' | 'dilations' | 'pads' | 'output_padding'

const usual: Readonly<Record<PerAxis, number>> = { strides: 1, dilations: 1, pads: 0, output_padding: 0 }

/** The integers of an attribute, one for each axis, or for each end of one. */
export function perAxis(judging: Judging, name: PerAxis, rank: number): readonly number[] {
  const count = name === 'pads' ? 2 * rank : rank
  const given = intsOf(judging, name) ?? new Array<number>(count).fill(usual[name])
  return given.length === count ? given : judging.fail(`${name} has ${given.length} numbers, not ${count}.`)
}

/** Whether pads are written at all. */
export const hasPads = (said: Said): boolean => intsOf(said, 'pads') !== undefined

const autoPads = ['NOTSET', 'VALID', 'SAME_UPPER', 'SAME_LOWER'] as const

export type AutoPad = (typeof autoPads)[number]

/** Pads by name, instead of by numbers, as the node has it; an empty text counts as left out. */
export const padName = (said: Said): string => textOf(said, 'auto_pad', '') || 'NOTSET'

export function autoPad(judging: Judging): AutoPad {
  const name = padName(judging)
  return autoPads.find((each) => each === name) ?? judging.fail(`auto_pad is ${JSON.stringify(name)}.`)
}

/** Undefined where the weights alone tell it. */
export const kernelShape = (said: Said): readonly number[] | undefined => intsOf(said, 'kernel_shape')

export const groupCount = (said: Said): number => intOf(said, 'group', 1)

/** Whether a window at the end may reach beyond the image. */
export const roundsUp = (said: Said): boolean => isSet(said, 'ceil_mode')

/** Sizes that a transposed convolution is asked for. */
export const askedShape = (said: Said): readonly number[] | undefined => intsOf(said, 'output_shape')

/** Height and width that RoiAlign makes of a region. */
export const regionSize = (said: Said): readonly [height: number, width: number] => [
  intOf(said, 'output_height', 1),
  intOf(said, 'output_width', 1),
]
