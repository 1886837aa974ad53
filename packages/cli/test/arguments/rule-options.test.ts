// What is to be typed for a rule that a fix names is what chooses that rule.
import { explain, none, numpy, onnxLegacy, paddle, pdpd, type Rule, sonnx, unidirectional } from 'bcast'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { addRuleOptions } from '../../src/arguments/rule-options.ts'
import { optionsFor, type RuleOptions, ruleFor } from '../../src/arguments/rules.ts'

/** The rule that a command takes these words for. */
function chosen(words: string): Rule {
  const command = addRuleOptions(new Command()).parse(words.split(' '), { from: 'user' })
  return ruleFor(command.opts<RuleOptions>())
}

const shapes = [
  [
    [2, 3, 4, 5],
    [3, 4],
  ],
  [[2, 3], [2]],
  [[2, 3, 4], [2]],
  [[2, 3], [3]],
  [[3], [2, 3]],
]
const rules = [numpy, none, sonnx, unidirectional, pdpd(), paddle(), onnxLegacy(), onnxLegacy({ broadcast: true })]

describe('the options for a rule', () => {
  it.each(rules)('choose each one that a fix names: $label', (rule) => {
    const named = shapes.flatMap((given) =>
      explain(given, { broadcast: rule }).fixes.flatMap(({ changes }) =>
        changes.flatMap((change) => (change.kind === 'rule' ? [change.rule] : [])),
      ),
    )
    expect(named.length).toBeGreaterThan(0)
    for (const other of named) expect(chosen(optionsFor(other)).label).toBe(other.label)
  })

  it('are short', () => {
    expect(optionsFor(numpy)).toBe('--rule numpy')
    expect(optionsFor(pdpd({ axis: 1 }))).toBe('--rule pdpd --axis 1')
    expect(optionsFor(onnxLegacy({ broadcast: true, axis: 0 }))).toBe('--rule onnxLegacy --axis 0')
  })
})
