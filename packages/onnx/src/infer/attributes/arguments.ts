// What operators took as an attribute at first and take as an input since: axes, shapes, pads.
import type { Said } from './said.ts'

export interface Argument {
  readonly attribute: string
  /** Which input it is. */
  readonly input: number
  /** The opset that made it an input. */
  readonly since: number
}

export const reshapeShape: Argument = { attribute: 'shape', input: 1, since: 5 }
/** Of Squeeze and Unsqueeze. */
export const squeezeAxes: Argument = { attribute: 'axes', input: 1, since: 13 }
export const sliceStarts: Argument = { attribute: 'starts', input: 1, since: 10 }
export const sliceEnds: Argument = { attribute: 'ends', input: 2, since: 10 }
export const sliceAxes: Argument = { attribute: 'axes', input: 3, since: 10 }
export const clipMin: Argument = { attribute: 'min', input: 1, since: 11 }
export const clipMax: Argument = { attribute: 'max', input: 2, since: 11 }
export const topKCount: Argument = { attribute: 'k', input: 1, since: 10 }

/** ReduceSum was the first of its like. */
export const reductionAxes = ({ node: { opType } }: Said): Argument => ({
  ...{ attribute: 'axes', input: 1, since: opType === 'ReduceSum' ? 13 : 18 },
})

/** At first it could be either. */
export const splitSizes = ({ opset }: Said, hasInput: boolean): Argument => ({
  ...{ attribute: 'split', input: 1, since: opset < 2 && hasInput ? 1 : 13 },
})

export const padSizes = ({ opset }: Said): Argument => ({
  ...{ attribute: opset < 2 ? 'paddings' : 'pads', input: 1, since: 11 },
})

/** Which axes Pad speaks of; before opset 18 all of them. */
export const padAxes: Argument = { attribute: '', input: 3, since: 18 }

export const isInput = ({ opset }: Said, { since }: Argument): boolean => opset >= since
