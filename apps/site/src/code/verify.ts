// Reads printed code back: its shapes, its reshapes and transposes, replayed step by step, must lead to the result that
// the library gives. It knows the text alone, not the plan behind it, and runs nothing.
import { explain, type Shape } from 'bcast'
import { applyStep, type CodeStep, StepError } from './plan.ts'

const sizesIn = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number)

/** What code says of one variable: how it is made, and what happens to it. */
interface Variable {
  shape: Shape
  readonly steps: CodeStep[]
}

/** Names that stand for operands: a to z, with a number for what was made of them. */
const NAME = '([a-y])\\d*'

const DECLARED = [
  // const a = ones([2, 3]), a = np.ones((2, 3), np.float32), a = torch.ones((2, 3)), a = ops.parameter([2, 3], …)
  /^(?:const )?([a-y]) = (?:\w+\.)?(?:ones|parameter)\((?:\(|\[)([\d, ]*)/gm,
  // float[2, 3] a
  /()float(?:\[([\d, ]*)\])? ([a-y])(?=[,)])/g,
]

function declared(code: string): Map<string, Variable> {
  const found = new Map<string, Variable>()
  for (const pattern of DECLARED) {
    for (const match of code.matchAll(pattern)) {
      const [, name, sizes = '', behind] = match
      found.set(name || behind!, { shape: sizesIn(sizes), steps: [] })
    }
  }
  return found
}

const STEPS: readonly (readonly [RegExp, (match: RegExpMatchArray, code: string) => readonly [string, CodeStep]])[] = [
  [
    new RegExp(String.raw`\b${NAME} = ${NAME}\.(reshape|transpose|permute)\(\(([\d, ]*)\)\)`, 'g'),
    ([, , name, verb, sizes]) => [name!, stepOf(verb!, sizesIn(sizes!))],
  ],
  [
    new RegExp(String.raw`ops\.(reshape|transpose)\(${NAME}, (?:np\.int64\()?\[([\d, ]*)\]`, 'g'),
    ([, verb, name, sizes]) => [name!, stepOf(verb!, sizesIn(sizes!))],
  ],
  [
    new RegExp(String.raw`Reshape \(${NAME}, (\w+)\)`, 'g'),
    ([, name, constant], code) => {
      const value = new RegExp(String.raw`\b${constant} = Constant <value = int64\[\d+\] \{([\d, ]*)\}>`).exec(code)
      return [name!, { kind: 'reshape', shape: sizesIn(value?.[1] ?? '') }]
    },
  ],
  [
    new RegExp(String.raw`Transpose <perm = \[([\d, ]*)\]> \(${NAME}\)`, 'g'),
    ([, sizes, name]) => [name!, { kind: 'transpose', order: sizesIn(sizes!) }],
  ],
]

const stepOf = (verb: string, sizes: readonly number[]): CodeStep =>
  verb === 'reshape' ? { kind: 'reshape', shape: sizes } : { kind: 'transpose', order: sizes }

/** The shapes with which operands meet at the end of printed code, and the result that it names. */
export function readBack(code: string): { readonly shapes: readonly Shape[]; readonly result: Shape } {
  const variables = declared(code)
  const steps = STEPS.flatMap(([pattern, read]) =>
    [...code.matchAll(pattern)].map((match) => ({ at: match.index, step: read(match, code) })),
  )
  for (const { step } of steps.toSorted((a, b) => a.at - b.at)) variables.get(step[0])!.steps.push(step[1])
  // bcast chains its steps inside the call.
  for (const [, name, chain] of code.matchAll(/(?<=[(,]\s?)([a-y])((?:\.(?:reshape|transpose)\([\d, ]*\))+)/g)) {
    for (const [, verb, sizes] of chain!.matchAll(/\.(reshape|transpose)\(([\d, ]*)\)/g)) {
      variables.get(name!)!.steps.push(stepOf(verb!, sizesIn(sizes!)))
    }
  }
  const result = /(?:z\.shape \/\/ \[|z\.shape\) == \(|\.shape\) == \[|=> \(float\[?)([\d, ]*)/.exec(code)
  return {
    shapes: [...variables.values()].map(({ shape, steps: own }) => own.reduce(applyStep, shape)),
    result: sizesIn(result?.[1] ?? ''),
  }
}

/** Whether code that was printed for a result gives it under numpy's rule. */
export function isVerified(code: string, wanted: Shape): boolean {
  let read: ReturnType<typeof readBack>
  try {
    read = readBack(code)
  } catch (error) {
    if (error instanceof StepError) return false
    throw error
  }
  const { verdict, shape } = explain(read.shapes)
  return verdict === 'ok' && String(read.result) === String(wanted) && String(shape) === String(wanted)
}
