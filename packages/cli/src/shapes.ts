// What the page shares with the command line about shapes: how people type them, and the rules with their options.
export { type RuleOption, type RuleOptions, ruleFor, ruleNames, rules } from './arguments/rules.ts'
export { parseShape } from './arguments/shape-argument.ts'
export { UsageError } from './errors/usage-error.ts'
