// The rules that are compared: each once, the one in use with its own options.
import { ruleNames } from '@bcast/cli/shapes'
import type { Rule } from 'bcast'
import { type Question, ruleOf } from './question.ts'

/** Every rule as it is without options of its own. */
export const comparedRules = ({ shapes, rule, onto }: Question): Rule[] =>
  ruleNames.map((name) => (name === rule.name ? rule : ruleOf({ rule: name }, shapes, onto)))
