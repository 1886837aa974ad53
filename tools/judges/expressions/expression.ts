// One question about an expression: operands, the steps that are taken with them, of which the last gives the value, and
// the gradient of the value. It is plain data, so that engines in any language can take the same steps.
import type { CaseDType, TensorData } from '../case.ts'
import { elementText } from '../elements.ts'

/** A value that is known already, by its place among operands and steps; or a number, in the type of what is beside it. */
export type Reference = number | { readonly number: number }

export type Step =
  | {
      readonly kind: 'apply'
      readonly op: string
      readonly args: readonly Reference[]
      readonly attrs: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'compare'; readonly op: string; readonly args: readonly Reference[] }
  | {
      readonly kind: 'reduce'
      readonly op: string
      readonly args: readonly [Reference]
      readonly keepdims: boolean
      /** All unless said. */
      readonly axes?: readonly number[]
      readonly ord?: 1 | 2
    }
  | { readonly kind: 'matmul'; readonly args: readonly [Reference, Reference] }
  | { readonly kind: 'cast'; readonly args: readonly [Reference]; readonly to: CaseDType }

export interface ExpressionCase {
  readonly id: number
  readonly inputs: readonly TensorData[]
  readonly steps: readonly Step[]
  readonly delta: TensorData
  /** Whether gradients are asked for with our decisions where PyTorch made others. */
  readonly documented: boolean
}

const LETTERS = 'xyzw'

/** The expression as one would write it. */
export function expressionText({ inputs, steps }: ExpressionCase): string {
  const texts: string[] = inputs.map((_, i) => LETTERS[i]!)
  for (const step of steps) {
    const args = step.args.map((arg) => (typeof arg === 'number' ? texts[arg]! : elementText(arg.number)))
    const { kind, args: _, ...rest } = step
    const name = 'op' in step ? step.op : kind
    const { op: __, ...told } = { op: '', ...rest }
    const options = JSON.stringify('attrs' in told ? told.attrs : told)
    texts.push(`${name}(${[...args, ...(options === '{}' ? [] : [options])].join(', ')})`)
  }
  const operands = inputs.map(({ dtype, shape }, i) => `${LETTERS[i]} ${dtype} (${shape.join(',')})`)
  return `${texts.at(-1)} of ${operands.join(', ')}`
}
