// `bcast explain 2,3,4 3,1`: the aligned picture, the verdict, the reason, the fixes.
import {
  bidirectional,
  explain,
  explicit,
  none,
  numpy,
  onnxLegacy,
  paddle,
  pdpd,
  type Rule,
  sonnx,
  unidirectional,
} from 'bcast'
import { Command, Option } from 'commander'
import { parseShape } from '../shape-argument.ts'
import { UsageError } from '../usage-error.ts'

interface Options {
  readonly rule: string
  readonly axis?: number
  readonly axes?: readonly number[]
  readonly json?: boolean
}

const integer = (text: string): number => {
  if (!/^-?\d+$/.test(text)) throw new UsageError(`--axis is ${JSON.stringify(text)}; it is an integer.`)
  return Number(text)
}

/** The rules that the command line offers, each with the options it reads. */
const rules: Readonly<Record<string, (options: Options) => Rule>> = {
  numpy: () => numpy,
  unidirectional: () => unidirectional,
  bidirectional: () => bidirectional,
  sonnx: () => sonnx,
  none: () => none,
  pdpd: ({ axis }) => pdpd(axis === undefined ? {} : { axis }),
  paddle: ({ axis }) => paddle(axis === undefined ? {} : { axis }),
  onnxLegacy: ({ axis }) => onnxLegacy(axis === undefined ? { broadcast: true } : { broadcast: true, axis }),
  explicit: ({ axes }) => {
    if (axes === undefined)
      throw new UsageError('rule explicit needs --axes, the result axis of each axis of B, such as --axes 1,2.')
    return explicit({ axesMapping: axes })
  },
}

export function explainCommand(): Command {
  return new Command('explain')
    .description('explain how shapes meet, and what would fix it if they do not')
    .argument('<shapes...>', 'sizes with commas, such as 2,3,4; a scalar is (); N names a size, ? is unknown')
    .addOption(new Option('--rule <name>', 'the rule').choices(Object.keys(rules)).default('numpy'))
    .option('--axis <n>', 'where B starts in A, for pdpd, paddle and onnxLegacy', integer)
    .option('--axes <list>', 'result axes of B, for explicit', (text) => text.split(',').map(integer))
    .option('--json', 'print the explanation as JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  bcast explain 2,3,4 3,1\n  bcast explain 2,3,4 2,4\n  bcast explain N,3 1,M\n  bcast explain 2,3,4,5 3,4 --rule pdpd --axis 1',
    )
    .action((texts: readonly string[], options: Options) => {
      const explanation = explain(texts.map(parseShape), { broadcast: rules[options.rule]!(options) })
      process.stdout.write(`${options.json ? JSON.stringify(explanation, null, 2) : explanation}\n`)
      if (explanation.verdict === 'error') process.exitCode = 1
    })
}
