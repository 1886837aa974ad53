// The rule, and what it reads: every option that the chosen rule has, and no other.
import { type RuleOption, type RuleOptions, ruleNames, rules } from '@bcast/cli/shapes'
import type { VNode } from 'preact'
import type { Question } from '../state/question.ts'
import { rebased } from '../state/rebase.ts'
import { asked } from '../state/state.ts'
import { state, update } from '../state/store.ts'

const labels: Readonly<Record<RuleOption, string>> = {
  axis: 'axis where B starts',
  axes: 'result axis of each axis of B',
  newAxes: 'result axes that B lacks',
  strict: 'a size 1 does not stretch',
  untrimmed: 'check before trailing ones are trimmed',
  innerOnes: 'ones inside B',
  broadcast: 'attribute broadcast',
}

const listOf = (text: string): number[] | undefined =>
  /^\s*\d{1,3}(\s*,\s*\d{1,3})*\s*$/.test(text) ? text.split(',').map(Number) : undefined

function change(options: RuleOptions): void {
  update((now) => asked(rebased(now), { rule: options }))
}

const without = (options: RuleOptions, ...names: readonly RuleOption[]): RuleOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !(names as readonly string[]).includes(name)))

interface Props {
  readonly option: RuleOption
  readonly options: RuleOptions
  readonly question: Question
}

function OptionChoice({ option, options, question }: Props): VNode {
  const id = `option-${option}`
  const label = <label for={id}>{labels[option]}</label>
  switch (option) {
    case 'axis': {
      const rank = Math.max(0, ...question.shapes.map((shape) => shape?.length ?? 0))
      const axes = [-1, ...Array.from({ length: rank }, (_, axis) => axis)]
      const isLegacy = options.rule === 'onnxLegacy'
      return (
        <span class="option">
          {label}
          <select
            id={id}
            value={String(options.axis ?? -1)}
            onChange={({ currentTarget: { value } }) =>
              change(value === '-1' ? without(options, 'axis') : { ...options, axis: Number(value) })
            }
          >
            {axes.map((axis) => (
              <option key={axis} value={String(axis)}>
                {axis === -1 ? (isLegacy ? 'none: at the end' : '-1: at the end') : axis}
              </option>
            ))}
          </select>
        </span>
      )
    }
    case 'axes':
    case 'newAxes': {
      const made = question.rule.options as { axesMapping?: readonly number[]; broadcastAxes?: readonly number[] }
      const shown = option === 'axes' ? made.axesMapping : made.broadcastAxes
      const other = option === 'axes' ? 'newAxes' : 'axes'
      return (
        <span class="option">
          {label}
          <input
            id={id}
            class="mono short"
            value={shown?.join(',') ?? ''}
            placeholder="0,2"
            onChange={({ currentTarget: { value } }) => {
              const list = listOf(value)
              const rest = without(options, option, other, ...(option === 'newAxes' ? (['strict'] as const) : []))
              change(list === undefined ? without(options, option) : { ...rest, [option]: list })
            }}
          />
        </span>
      )
    }
    case 'innerOnes':
      return (
        <span class="option">
          {label}
          <select
            id={id}
            value={options.innerOnes ?? 'stretch'}
            onChange={({ currentTarget: { value } }) =>
              change(value === 'error' ? { ...options, innerOnes: 'error' } : without(options, 'innerOnes'))
            }
          >
            <option value="stretch">stretch</option>
            <option value="error">are an error (Paddle 1.5)</option>
          </select>
        </span>
      )
    case 'broadcast':
      return (
        <span class="option">
          {label}
          <select
            id={id}
            value={options.broadcast ?? '1'}
            onChange={({ currentTarget: { value } }) => change({ ...options, broadcast: value === '0' ? '0' : '1' })}
          >
            <option value="1">1</option>
            <option value="0">0</option>
          </select>
        </span>
      )
    case 'strict':
    case 'untrimmed':
      return (
        <span class="option">
          <input
            id={id}
            type="checkbox"
            checked={options[option] === true}
            disabled={option === 'strict' && options.newAxes !== undefined}
            onChange={({ currentTarget: { checked } }) =>
              change(checked ? { ...options, [option]: true } : without(options, option))
            }
          />
          {label}
        </span>
      )
  }
}

export function RuleChoice({ question }: { readonly question: Question }): VNode {
  const { rule, onto, shapes } = question
  // A message and a fix have a rule of their own, which is the one that is shown.
  const own = state.value.rule
  const options: RuleOptions =
    (own.rule ?? 'numpy') === rule.name ? { ...own, rule: rule.name } : { rule: rule.name, ...(rule.options as object) }
  return (
    <div class="rule">
      <span class="option">
        <label for="rule">Rule</label>
        <select
          id="rule"
          value={rule.name}
          onChange={({ currentTarget: { value } }) => change(value === 'numpy' ? {} : { rule: value })}
        >
          {ruleNames.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </span>
      {rules[rule.name]!.reads.map((option) => (
        <OptionChoice key={option} option={option} options={options} question={question} />
      ))}
      {rule.oneWay && shapes.length > 1 && (
        <span class="option">
          <label for="onto">keeps its shape</label>
          <select
            id="onto"
            value={String(onto)}
            onChange={({ currentTarget: { value } }) => update((now) => asked(rebased(now), { onto: Number(value) }))}
          >
            {shapes.map((_, operand) => (
              <option key={operand} value={String(operand)}>
                {String.fromCharCode(65 + operand)}
              </option>
            ))}
          </select>
        </span>
      )}
    </div>
  )
}
