// The rules by the names that people type, and the options that each reads: what the command line and the page offer.
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
import { UsageError } from '../errors/usage-error.ts'

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
export type RuleOption = Exclude<keyof RuleOptions, 'rule'>

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

export const rules: Readonly<Record<string, RuleEntry>> = {
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

/** The names of all rules, as --rule takes them. */
export const ruleNames: readonly string[] = Object.keys(rules)

/** How each is typed. */
export const flags: Readonly<Record<RuleOption, string>> = {
  axis: '--axis',
  axes: '--axes',
  newAxes: '--new-axes',
  strict: '--strict',
  untrimmed: '--untrimmed',
  innerOnes: '--inner-ones',
  broadcast: '--broadcast',
}

/** The options that were given. */
export const givenOf = (options: RuleOptions): RuleOption[] =>
  (Object.keys(flags) as RuleOption[]).filter((option) => options[option] !== undefined)

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
