// The checks that rules with options share. A rule is made once and used often, so a wrong option is refused when
// the rule is made, not when shapes first meet it.
import { RuleError } from '../../errors/index.ts'

const shown = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))

/** The error of one option: what it is, and what it may be. */
export const wrongRuleOption = (rule: string, option: string, value: unknown, expected: string): RuleError =>
  new RuleError(`${rule}: ${option} is ${shown(value)}; ${expected}.`, { rule, option, value })

/** Throws unless `options` is an object that holds nothing but the named options. */
export function checkOptions(rule: string, options: unknown, names: readonly string[]): asserts options is object {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new RuleError(`${rule}: options are ${shown(options)}; they are an object with ${names.join(', ')}.`, {
      rule,
    })
  }
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) {
      throw new RuleError(`${rule}: there is no option ${shown(name)}; the options are ${names.join(', ')}.`, {
        rule,
        option: name,
      })
    }
  }
}

/** Throws unless `value` is true or false. */
export function checkFlag(rule: string, option: string, value: unknown): void {
  if (typeof value !== 'boolean') throw wrongRuleOption(rule, option, value, 'it is true or false')
}

export const isAxis = (axis: unknown): axis is number => Number.isSafeInteger(axis) && (axis as number) >= 0

/** Throws unless `axis` is -1 or a position counted from the left. */
export function checkStartAxis(rule: string, axis: unknown): void {
  if (axis !== -1 && !isAxis(axis)) {
    throw wrongRuleOption(
      rule,
      'axis',
      axis,
      'it is an integer from 0 on, counted from the left of A, or -1 for the end',
    )
  }
}

/** Throws unless `axis` is a position counted from the left or absent. */
export function checkOptionalAxis(rule: string, axis: unknown): void {
  if (axis !== undefined && !isAxis(axis)) {
    throw wrongRuleOption(
      rule,
      'axis',
      axis,
      'it is an integer from 0 on, counted from the left of A, or absent for the end',
    )
  }
}

/** Throws unless `axis` is an axis of the result. */
export function checkResultAxis(rule: string, option: string, position: number, axis: unknown): void {
  if (!isAxis(axis)) {
    throw wrongRuleOption(
      rule,
      `${option}[${position}]`,
      axis,
      'axes of the result are integers from 0 on, counted from the left',
    )
  }
}
