// How Resize and Upsample are asked for: which axes, what sizes mean, where elements lie.
import { intsOf, type Said, textOf } from './said.ts'

/** The axes that scales and sizes speak of; undefined for all of them. */
export const resizedAxes = (said: Said): readonly number[] | undefined => intsOf(said, 'axes')

/** Whether sizes are wanted, or limits that keep the aspect. */
export const aspectPolicy = (said: Said): string => textOf(said, 'keep_aspect_ratio_policy', 'stretch')

/** Where the elements of the result lie between those of the image. */
export const transformation = (said: Said): string => textOf(said, 'coordinate_transformation_mode', 'half_pixel')

/** Of Upsample before opset 9. */
export const upsampleScales = ({ attributes }: Said): readonly number[] => attributes.floats('scales')
