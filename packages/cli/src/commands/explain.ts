// `bcast explain 2,3,4 3,1`: the aligned picture, the verdict, the reason, the fixes; of shapes, or of the shapes in an
// error message.
import { explain } from 'bcast'
import { Command, type Option } from 'commander'
import { choiceOption } from '../arguments/choice-option.ts'
import { addRuleOptions, ruleFlags } from '../arguments/rule-options.ts'
import { type RuleOptions, ruleFor } from '../arguments/rules.ts'
import { parseShape } from '../arguments/shape-argument.ts'
import { UsageError } from '../errors/usage-error.ts'
import { explanationJson } from '../explain/explanation-json.ts'
import { examplesText } from '../help/examples.ts'
import { type Framework, frameworks, otherNames } from '../messages/form.ts'
import { type Reading, readMessages } from '../messages/read.ts'
import { explained, readingJson, readingsText } from '../messages/words.ts'
import { shownOn } from '../terminal/shown.ts'

interface Options extends RuleOptions {
  readonly onto?: string
  readonly from?: Framework | 'auto'
  readonly json?: boolean
  readonly all?: boolean
}

const examples = [
  { line: 'bcast explain 2,3,4 3,1', shows: 'how shapes meet, aligned' },
  { line: 'bcast explain 2,3,4 2,4', shows: 'why they do not, and what would fix it (exit 1)' },
  { line: 'bcast explain N,3 4,M', shows: 'sizes that are not known yet: when it holds' },
  { line: 'bcast explain "()" 5 2..8,5', shows: 'a scalar, a vector, an interval of sizes' },
  { line: 'bcast explain 2,3,4,5 3,4 --rule pdpd --axis 1', shows: 'another rule' },
  { line: 'bcast explain 2,3,4 2,4 --json', shows: 'for programs (exit 1)' },
  {
    line: 'bcast explain --from torch "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"',
    shows: 'an error message (exit 1)',
  },
  { line: 'bcast explain --from auto - < traceback.txt', shows: 'every message in a log of any framework (exit 1)' },
]

const json = (value: object): string => JSON.stringify({ version: 1, ...value }, null, 2)

function print(result: string): void {
  process.stdout.write(`${result}\n`)
}

/** The operand that one-way rules keep, by letter. */
function operandOf(letter: string, count: number): number {
  const operand = /^[A-Za-z]$/.test(letter) ? letter.toUpperCase().charCodeAt(0) - 65 : -1
  if (operand >= 0 && operand < count) return operand
  const last = String.fromCharCode(64 + Math.min(count, 26))
  throw new UsageError(`--onto is ${JSON.stringify(letter)}; it is one of the operands, A to ${last}.`)
}

function explainShapes(texts: readonly string[], options: Options): void {
  if (texts.length === 0) throw new UsageError('no shapes. Give some, such as: bcast explain 2,3,4 3,1')
  const broadcast = ruleFor(options)
  if (options.onto !== undefined && !broadcast.oneWay) {
    throw new UsageError(`rule ${broadcast.name} does not read --onto: it keeps no operand.`)
  }
  const onto = options.onto === undefined ? {} : { onto: operandOf(options.onto, texts.length) }
  const explanation = explain(texts.map(parseShape), { broadcast, ...onto })
  print(options.json ? json(explanationJson(explanation)) : shownOn(process.stdout, explanation.toString()))
  if (explanation.verdict === 'error') process.exitCode = 1
}

function messagesIn(message: string, from: Framework | 'auto'): readonly Reading[] {
  if (message.trim() === '') throw new UsageError('an empty message. Give it behind --from, or on stdin with -')
  const found = readMessages(message, from === 'auto' ? undefined : from)
  if (found.length > 0) return found
  const [other] = from === 'auto' ? [] : readMessages(message)
  if (other !== undefined) {
    throw new UsageError(
      `no message of ${from} that bcast knows; this is one of ${other.framework}. Use --from ${other.framework}, or --from auto.`,
    )
  }
  const known = from === 'auto' ? Object.values(frameworks).join(', ') : frameworks[from]
  throw new UsageError(
    `no message about shapes that bcast knows (${known}). Give the shapes themselves: bcast explain 2,3,4 2,4`,
  )
}

/** No log that anyone reads has more; what comes without an end has an end here. */
const MOST_TEXT = 2 ** 26

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= MOST_TEXT) continue
    throw new UsageError(
      'stdin has more than 64 MiB. Give the part with the message, such as: tail -n 1000 LOG | bcast explain --from auto -',
    )
  }
  return Buffer.concat(chunks).toString()
}

async function messageText(words: readonly string[]): Promise<string> {
  const isPiped = words.length === 0 || (words.length === 1 && words[0] === '-')
  if (!isPiped) return words.join(' ')
  if (process.stdin.isTTY) process.stderr.write('Paste the message, then press Ctrl-D on a line of its own.\n')
  return textOf(process.stdin)
}

async function explainMessages(words: readonly string[], from: Framework | 'auto', options: Options): Promise<void> {
  const [flag] = [...ruleFlags(options), ...(options.onto === undefined ? [] : ['--onto'])]
  if (flag !== undefined) {
    throw new UsageError(
      `--from goes by the rule of the framework and does not read ${flag}. Give the shapes for that.`,
    )
  }
  const found = messagesIn(await messageText(words), from)
  const all = found.map(explained)
  if (options.json) print(json({ messages: all.map(readingJson) }))
  else print(shownOn(process.stdout, readingsText(all, options.all === true)))
  if (all.some(({ verdict }) => verdict === 'error')) process.exitCode = 1
}

/** --from takes what people call a framework too, and help lists one name for each. */
function fromOption(): Option {
  const option = choiceOption('--from <framework>', 'find the shapes in an error message; - reads it from stdin', [
    ...Object.keys(frameworks),
    'auto',
  ])
  const choice = option.parseArg!
  return option.argParser((given: string) => {
    const name = given.toLowerCase()
    return choice(otherNames[name] ?? (Object.hasOwn(frameworks, name) ? name : given), undefined)
  })
}

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('explain how shapes meet, and what would fix it if they do not')
    .argument('[shapes...]', 'sizes with commas, such as 2,3,4; a scalar is (); N names a size, ? is unknown')
  return addRuleOptions(command)
    .option('--onto <operand>', 'the operand that one-way rules keep, by letter; A unless said')
    .addOption(fromOption())
    .option('--all', 'with --from: explain every message, however many have the same wording')
    .option('--json', 'print JSON (schema: bcast/explain.schema.json)')
    .addHelpText('after', examplesText(examples))
    .action(async (words: readonly string[], options: Options) => {
      if (options.from === undefined && options.all)
        throw new UsageError('--all goes with --from, and a text of many messages.')
      if (options.from === undefined) explainShapes(words, options)
      else await explainMessages(words, options.from, options)
    })
}
