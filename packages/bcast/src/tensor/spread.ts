// Tensors as views of their common shape under a rule: stretched and padded axes get stride 0. All are read-only,
// whether or not something was stretched: code that writes must not work for some sizes alone.
import type { DType } from '../dtype/dtype.ts'
import type { Shape } from '../shape/dim.ts'
import type { Rule } from '../shape/rule.ts'
import { spread } from './layout.ts'
import { resolveElements } from './resolve.ts'
import type { Tensor } from './tensor.ts'

/** Read-only views of the tensors in their common shape; undefined stands for a bare shape, such as a target. */
export function spreadOver(
  rule: Rule,
  shapes: readonly Shape[],
  onto: number,
  tensors: readonly (Tensor | undefined)[],
): (Tensor<DType> | undefined)[] {
  const { shape, axes } = resolveElements(rule, shapes, onto)
  return tensors.map((tensor, operand) => tensor?.viewAs(spread(tensor.layout, shape, axes[operand]!), true))
}
