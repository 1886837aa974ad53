// The options that choose a rule on the command line. An option that the chosen rule does not read is refused, so that
// nothing typed is silently ignored.
import type { Command } from 'commander'
import { UsageError } from '../errors/usage-error.ts'
import { choiceOption } from './choice-option.ts'
import { flags, givenOf, type RuleOptions, ruleNames } from './rules.ts'

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

/** The flags that were given, --rule itself among them. */
export const ruleFlags = (options: RuleOptions): string[] => [
  ...(options.rule === undefined ? [] : ['--rule']),
  ...givenOf(options).map((option) => flags[option]),
]
