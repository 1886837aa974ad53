// What PyTorch says of operands that do not meet. Eager mode names two sizes and an axis only; tracing (torch.compile,
// torch.export) names whole shapes, with symbols for sizes that may change.
import { numpy, type SymbolicShape } from 'bcast'
import { productFinding } from './findings.ts'
import { type Form, numberIn, SHAPE, shapeIn, sizeIn } from './form.ts'

export const NEXT = 'print(a.shape, b.shape) in front of the line that failed'

/** A size in brackets: a number, a symbol as `s27: hint = 2048`, or what is computed of symbols, with brackets of its own. */
const size = (name: string, behind: string): string =>
  String.raw`\((?<${name}>[^()]{1,100}|.{1,100}?(?=\) ${behind}))\)`

/** Two sizes that do not meet; titles end before the axis. */
const SIZES = String.raw`[Tt]he size of tensor a ${size('a', 'must match')} must match the size of tensor b ${size('b', 'at non-')}(?: at non-singleton dimension (?<axis>\d+))?`
const TRACED = String.raw`Attempting to broadcast a dimension of length [^!]{1,100} at -\d+! Mismatching argument at index (?<index>\d+) had (?:torch\.Size\()?(?<own>${SHAPE})\)?; but expected shape should be broadcastable to (?<common>${SHAPE})`

/** What symbols stood for when they were traced. */
function hintsText(...sizes: readonly (string | undefined)[]): string | undefined {
  const hints = sizes.filter((text) => text?.includes(': hint = ')).map((text) => text!.replace(': hint', ''))
  return hints.length === 0 ? undefined : `traced with ${[...new Set(hints)].join(' and ')}`
}

/** The call that was traced and its operands: `call_function <built-in function mul>(*(FakeTensor(..., size=(32, s27)), …), **{}): `. */
const CALL = /(?<call>\bcall_\w{1,20} (?:(?!\bcall_).)*\): (?:got RuntimeError\(["'])?)$/

/** The shapes of the operands, if all of them are there to be read. */
function fakeShapes(call: string): readonly SymbolicShape[] | undefined {
  const operands = call.split('**{')[0]!
  const shapes = [...operands.matchAll(/FakeTensor\([^()]*\bsize=(\([^()]*\))/g)].map(([, shape]) => shapeIn(shape!))
  return shapes.length > 1 && shapes.length === call.split('FakeTensor(').length - 1 ? shapes : undefined
}

export const operandForms: readonly Form[] = [
  {
    // torch.compile and torch.export name the operands before either sentence.
    name: 'traced operands',
    pattern: new RegExp(`${SIZES}|${TRACED}`),
    before: CALL,
    read: ({ call, a, b }) => {
      const shapes = call === undefined ? undefined : fakeShapes(call)
      if (shapes === undefined) return undefined
      const [, op] = /^call_\w+ (?:<built-in \w+ )?([\w.]+)/.exec(call!) ?? []
      const where = [...(op === undefined ? [] : [`in ${op}`]), hintsText(a, b) ?? 'traced'].join(', ')
      return { kind: 'shapes', shapes, rule: numpy, where }
    },
  },
  {
    name: 'sizes',
    pattern: new RegExp(SIZES),
    read: ({ a, b, axis }) => {
      const where = hintsText(a, b)
      return {
        kind: 'sizes',
        sizes: [sizeIn(a!), sizeIn(b!)],
        names: ['a', 'b'],
        axis: axis === undefined ? undefined : numberIn(axis),
        ...(axis === undefined
          ? {}
          : { known: 'PyTorch compares from the right, so every axis behind this one meets.' }),
        next: NEXT,
        ...(where === undefined ? {} : { where }),
      }
    },
  },
  {
    name: 'traced',
    pattern: new RegExp(TRACED),
    read: ({ index, own, common }) => ({
      kind: 'shapes',
      shapes: [shapeIn(common!), shapeIn(own!)],
      rule: numpy,
      where: `A is what the arguments before give, B argument ${index}`,
    }),
  },
  {
    name: 'traced mm',
    pattern: new RegExp(`a and b must have same reduction dim, but got (?<a>${SHAPE}) X (?<b>${SHAPE})`),
    read: ({ a, b }) => productFinding(shapeIn(a!), shapeIn(b!)),
  },
]
