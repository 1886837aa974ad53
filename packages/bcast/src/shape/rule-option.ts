// How callers name a rule: the rule itself, or the plain name of one that takes no options.
import { RuleError } from '../errors/index.ts'
import type { Rule } from './rule.ts'
import {
  type BidirectionalRule,
  bidirectional,
  type NoneRule,
  type NumpyRule,
  none,
  numpy,
  type SonnxRule,
  sonnx,
  type UnidirectionalRule,
  unidirectional,
} from './rules/index.ts'
import { show } from './show.ts'

export interface NamedRules {
  numpy: NumpyRule
  unidirectional: UnidirectionalRule
  bidirectional: BidirectionalRule
  sonnx: SonnxRule
  none: NoneRule
}

const named: NamedRules = { numpy, unidirectional, bidirectional, sonnx, none }

/** A rule, or the name of one that takes no options. */
export type RuleOption = Rule | keyof NamedRules

/** The rule an option names, or the given default. */
export function ruleOf(option: RuleOption | undefined, otherwise: Rule): Rule {
  if (option === undefined) return otherwise
  if (typeof option === 'string' && Object.hasOwn(named, option)) return named[option]
  if (typeof option === 'object' && option !== null && typeof option.align === 'function') return option
  throw new RuleError(
    `broadcast is ${shown(option)}. It is a rule, such as numpy, unidirectional or pdpd({ axis: 1 }), or one of the names ${Object.keys(named).join(', ')}.`,
    { option: 'broadcast', value: option },
  )
}

function shown(option: unknown): string {
  if (typeof option === 'function') return 'a function; call it to make a rule, as in pdpd({ axis: 1 })'
  if (typeof option === 'object' && option !== null) return 'an object that is no rule'
  return show(option)
}
