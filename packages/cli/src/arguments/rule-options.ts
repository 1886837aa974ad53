// The rules as the command line offers them: names, and the options that each reads. An option that the chosen rule
// does not read is refused, so that nothing typed is silently ignored.
import {
  bidirectional,
  explicit,
  matmulBatch,
  none,
  numpy,
  onnxLegacy,
  openvinoPrelu,
  paddle,
  pdpd,
  type Rule,
  sonnx,
  unidirectional,
} from 'bcast'
import type { Command } from 'commander'
import { UsageError } from '../errors/usage-error.ts'
import { choiceOption } from './choice-option.ts'

export interface RuleOptions {
  readonly rule?: string
  readonly axis?: number
  readonly axes?: readonly number[]
  readonly newAxes?: readonly number[]
  readonly strict?: boolean
  readonly untrimmed?: boolean
  readonly innerOnes?: 'stretch' | 'error'
  readonly broadcast?: '0' | '1'
}

/** What a rule may read. */
type RuleOption = Exclude<keyof RuleOptions, 'rule'>

interface RuleEntry {
  readonly reads: readonly RuleOption[]
  readonly make: (options: RuleOptions) => Rule
}

const plain = (rule: Rule): RuleEntry => ({ reads: [], make: () => rule })

/** The options that were given, without those left out. */
const given = <T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

function explicitRule({ axes, newAxes, strict }: RuleOptions): Rule {
  if (newAxes !== undefined) {
    if (axes !== undefined || strict !== undefined)
      throw new UsageError('--axes (with --strict) and --new-axes are two ways; give one of them.')
    return explicit({ broadcastAxes: newAxes })
  }
  if (axes === undefined)
    throw new UsageError(
      'rule explicit needs --axes, the result axis of each axis of B, such as --axes 1,2; or --new-axes, those B lacks.',
    )
  return explicit(given({ axesMapping: axes, strict }))
}

const rules: Readonly<Record<string, RuleEntry>> = {
  numpy: plain(numpy),
  unidirectional: plain(unidirectional),
  bidirectional: plain(bidirectional),
  explicit: { reads: ['axes', 'newAxes', 'strict'], make: explicitRule },
  pdpd: {
    reads: ['axis', 'untrimmed', 'innerOnes'],
    make: ({ axis, untrimmed, innerOnes }) => pdpd(given({ axis, untrimmed, innerOnes })),
  },
  paddle: { reads: ['axis'], make: ({ axis }) => paddle(given({ axis })) },
  onnxLegacy: {
    reads: ['axis', 'broadcast'],
    make: ({ axis, broadcast }) => onnxLegacy({ broadcast: broadcast !== '0', ...given({ axis }) }),
  },
  sonnx: plain(sonnx),
  none: plain(none),
  openvinoPrelu: plain(openvinoPrelu),
  matmulBatch: plain(matmulBatch),
}

const flags: Readonly<Record<RuleOption, string>> = {
  axis: '--axis',
  axes: '--axes',
  newAxes: '--new-axes',
  strict: '--strict',
  untrimmed: '--untrimmed',
  innerOnes: '--inner-ones',
  broadcast: '--broadcast',
}

const integer =
  (flag: string) =>
  (text: string): number => {
    if (!/^-?\d+$/.test(text)) throw new UsageError(`${flag} is ${JSON.stringify(text)}; it is an integer.`)
    return Number(text)
  }

const integers =
  (flag: string) =>
  (text: string): number[] => {
    const list = text.trim() === '' ? [] : text.split(',').map((part) => part.trim())
    if (list.every((part) => /^\d+$/.test(part))) return list.map(Number)
    throw new UsageError(`${flag} is ${JSON.stringify(text)}; it is axes with commas, such as ${flag} 0,2.`)
  }

/** The names of all rules, as --rule takes them. */
const ruleNames: readonly string[] = Object.keys(rules)

/** Adds --rule and everything that a rule reads. */
export function addRuleOptions(command: Command): Command {
  return command
    .addOption(choiceOption('--rule <name>', 'the rule; numpy unless said', ruleNames))
    .option('--axis <n>', 'where B starts in A: pdpd, paddle, onnxLegacy', integer('--axis'))
    .option('--axes <list>', 'the result axis of each axis of B: explicit', integers('--axes'))
    .option('--new-axes <list>', 'the result axes that B lacks: explicit', integers('--new-axes'))
    .option('--strict', 'a size 1 does not stretch: explicit with --axes')
    .option('--untrimmed', "OpenVINO's check, before trailing ones are trimmed: pdpd")
    .addOption(choiceOption('--inner-ones <how>', 'ones inside B (error: Paddle 1.5): pdpd', ['stretch', 'error']))
    .addOption(choiceOption('--broadcast <0|1>', 'the attribute, 1 unless said: onnxLegacy', ['0', '1']))
}

const givenOf = (options: RuleOptions): RuleOption[] =>
  (Object.keys(flags) as RuleOption[]).filter((option) => options[option] !== undefined)

/** The flags that were given, --rule itself among them. */
export const ruleFlags = (options: RuleOptions): string[] => [
  ...(options.rule === undefined ? [] : ['--rule']),
  ...givenOf(options).map((option) => flags[option]),
]

/** What to type for a rule that a fix names; of the options these differ in the axis alone. */
export function optionsFor({ name, options }: Rule): string {
  const { axis } = options as Pick<RuleOptions, 'axis'>
  return axis === undefined ? `--rule ${name}` : `--rule ${name} ${flags.axis} ${axis}`
}

/** The rule that was asked for, with the options given for it. */
export function ruleFor(options: RuleOptions): Rule {
  const name = options.rule ?? 'numpy'
  const { reads, make } = rules[name]!
  const unread = givenOf(options).find((option) => !reads.includes(option))
  if (unread === undefined) return make(options)
  const readers = ruleNames.filter((other) => rules[other]!.reads.includes(unread))
  throw new UsageError(`rule ${name} does not read ${flags[unread]}; it is for ${readers.join(', ')}.`)
}
