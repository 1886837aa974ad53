// Which axis an operator works along, where it says so by an attribute; negative ones count from the end.
import { intOf, type Said } from './said.ts'

/** Where `axis` is left out. */
const usual: Readonly<Record<string, number>> = {
  ...{ ArgMax: 0, ArgMin: 0, Gather: 0, GatherElements: 0, Scatter: 0, ScatterElements: 0, Split: 0 },
  ...{ DequantizeLinear: 1, Flatten: 1, QuantizeLinear: 1 },
  ...{ LayerNormalization: -1, OneHot: -1, RMSNormalization: -1, SimplifiedLayerNormalization: -1, TopK: -1 },
}

/** Operators that take all axes from one on together, and scale every element of them by itself. */
export const layerNormalisations: ReadonlySet<string> = new Set([
  ...['LayerNormalization', 'RMSNormalization', 'SimplifiedLayerNormalization'],
])

export const axisOf = (said: Said): number => intOf(said, 'axis', usual[said.node.opType] ?? 0)

/** Before opset 4 it could be left out. */
export const concatAxis = ({ opset, attributes }: Said): number =>
  opset < 4 ? attributes.int('axis', 1) : attributes.int('axis')

/** Softmax and its like take one axis; before opset 13 all from one on, as if they were one. */
export const softmaxAxis = (said: Said): { readonly axis: number; readonly andBehind: boolean } => {
  const andBehind = said.opset < 13
  return { axis: intOf(said, 'axis', andBehind ? 1 : -1), andBehind }
}
