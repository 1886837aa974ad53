// `bcast eval '(x - mean) / std' x=x.npy mean=m.npy std=s.npy -o y.npy`: one fused kernel over arrays in files that may
// be larger than memory.
import { configure, type Rule } from 'bcast'
import { Command, Option } from 'commander'
import { choiceOption } from '../arguments/choice-option.ts'
import { engineOption } from '../arguments/engine-option.ts'
import { formatBytes, parseMemorySize } from '../arguments/memory-size.ts'
import { outputOption } from '../arguments/output-option.ts'
import { addRuleOptions } from '../arguments/rule-options.ts'
import { ruleFor } from '../arguments/rules.ts'
import { startEngine } from '../engine/engine.ts'
import { nearest } from '../errors/nearest.ts'
import { UsageError } from '../errors/usage-error.ts'
import { EvaluationError, ExpressionError } from '../expression/expression-error.ts'
import { functionsText } from '../expression/operators.ts'
import { parseExpression, reservedWords } from '../expression/parse.ts'
import { type Expression, namesIn } from '../expression/syntax.ts'
import { storedDTypes } from '../files/element.ts'
import { isReadOnce, openSink, openSource, ordersOf } from '../files/open.ts'
import { FORMS, outputPlace } from '../files/place.ts'
import type { ArraySource } from '../files/source.ts'
import { examplesText } from '../help/examples.ts'
import { doneText } from '../stream/done.ts'
import { Evaluation } from '../stream/evaluate.ts'
import { Progress } from '../stream/progress.ts'
import { ShownElements } from '../stream/shown.ts'
import type { ZarrOptions } from '../tasks/evaluate-to-zarr.ts'
import { parseCodec, parseThreads, sizesFrom } from '../tasks/options.ts'
import { visible } from '../terminal/visible.ts'
import { parseQueueUrl, type QueueUrl } from '../workers/queue-url.ts'
import { type ZarrPlace, zarrPlace } from '../zarr/place.ts'

interface Options extends ZarrOptions {
  readonly output?: string
  readonly workers?: QueueUrl
}

const MEMORY = '512MiB'
/** What Node and the engine take while they work, beside what the process has when it starts. */
const OVERHEAD = 32 * 2 ** 20
/** What writing text takes beside that: V8 keeps the texts of numbers that it made last, and its heap grows by them. */
const TEXT_OVERHEAD = 32 * 2 ** 20
/** Less than this for arrays is not worth starting with. */
const LEAST = 8 * 2 ** 20
/** Of the memory for arrays, what sources may take to open their files, such as JSON's elements. */
const SOURCES = 1 / 8

/** The bytes that arrays may take; what the process needs for itself is part of the limit. */
function memoryForArrays(limit: number, output: string | undefined): number {
  const isText = output !== undefined && outputPlace(output).format === 'json'
  const own = process.memoryUsage.rss() + OVERHEAD + (isText ? TEXT_OVERHEAD : 0)
  if (limit < own + LEAST) {
    throw new UsageError(
      `--memory is ${formatBytes(limit)}; the program itself takes ${formatBytes(own)}, so give it at least ${formatBytes(own + LEAST)}.`,
    )
  }
  return limit - own
}

const isStdin = (spec: string): boolean => spec === '-' || spec.startsWith('-:')

/** Names of one letter are all alike. */
function didYouMean(name: string, names: Iterable<string>): string | undefined {
  const meant = name.length > 1 ? nearest(name, [...names]) : undefined
  return meant === undefined ? undefined : `Did you mean ${meant}?`
}

/** `x=x.npy` by name; the expression must use every one, and they must be all it uses. */
function bindings(expression: string, root: Expression, texts: readonly string[]): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const text of texts) {
    const [, name, spec] = /^([^=]*)=(.*)$/su.exec(text) ?? []
    if (name === undefined || spec === undefined || spec === '') {
      throw new UsageError(`${JSON.stringify(text)} is no NAME=FILE, such as x=x.npy.`)
    }
    if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) || reservedWords.has(name)) {
      const why = reservedWords.has(name)
        ? 'means something else in an expression'
        : 'is no name: letters, digits and _'
      throw new UsageError(`in ${JSON.stringify(text)}, ${JSON.stringify(name)} ${why}.`)
    }
    if (files.has(name)) throw new UsageError(`two files are given for ${name}.`)
    files.set(name, spec)
  }
  const used = namesIn(root)
  for (const [name, span] of used) {
    if (files.has(name)) continue
    const problem = `no file is given for ${name}. ${didYouMean(name, files.keys()) ?? `Add ${name}=FILE.`}`
    throw new ExpressionError({ expression, span, problem })
  }
  const unused = [...files].find(([name]) => !used.has(name))
  if (unused !== undefined) {
    const [name, spec] = unused
    const problem = `${name}=${spec} is given and the expression does not use ${name}.`
    const meant = didYouMean(name, used.keys())
    throw new ExpressionError({
      expression,
      span: root.span,
      problem: meant === undefined ? problem : `${problem} ${meant}`,
    })
  }
  if ([...files.values()].filter(isStdin).length > 1) throw new UsageError('stdin (-) can be read for one name only.')
  return files
}

async function openSources(files: ReadonlyMap<string, string>, memory: number): Promise<Map<string, ArraySource>> {
  const sources = new Map<string, ArraySource>()
  try {
    for (const [name, spec] of files) sources.set(name, await openSource(spec, { memory: memory / files.size }))
  } catch (error) {
    for (const source of sources.values()) await source.close()
    throw error
  }
  return sources
}

/** What only a result in chunks has. */
const CHUNKED = ['chunks', 'shards', 'codec', 'threads', 'plan', 'resume', 'workers'] as const

/** Where the result goes if that is a Zarr array. */
function chunkedPlace(options: Options): ZarrPlace | undefined {
  const place = options.output === undefined ? undefined : zarrPlace(options.output)
  const flag = CHUNKED.find((each) => options[each] !== undefined)
  if (place !== undefined || flag === undefined) return place
  const where = options.output === undefined ? 'there is no -o' : `${options.output} is none`
  throw new UsageError(`--${flag} goes with a result that is a Zarr array, and ${where}. Such as: -o y.zarr`)
}

/** Throws where an array is none that workers could open. */
async function checkReached(files: ReadonlyMap<string, string>): Promise<void> {
  for (const [name, spec] of files) {
    if (!(await isReadOnce(spec))) continue
    throw new UsageError(
      `${name}=${spec} can be read once, and here only; workers open arrays themselves. Write it to a file that they reach, or leave out --workers.`,
    )
  }
}

async function evaluate(
  expression: string,
  texts: readonly string[],
  options: Options,
  rule: Rule | undefined,
): Promise<void> {
  const root = parseExpression(expression)
  const files = bindings(expression, root, texts)
  const place = chunkedPlace(options)
  if (options.workers !== undefined && options.engine !== undefined) {
    throw new UsageError(
      '--engine is for what computes here, which with --workers nothing does; give it to bcast worker.',
    )
  }
  if (place !== undefined) {
    if (options.workers !== undefined) await checkReached(files)
    const { evaluateToZarr } = await import('../tasks/evaluate-to-zarr.ts')
    if (options.workers === undefined || options.plan === true)
      return evaluateToZarr({ expression, root, files, place, options })
    const { workersAt } = await import('../workers/submit.ts')
    return evaluateToZarr({
      expression,
      root,
      files,
      place,
      options,
      workers: await workersAt(options.workers),
    })
  }
  await startEngine(options.engine)
  const memory = memoryForArrays(options.memory, options.output)
  // The engine takes no more than is planned, and its own few blocks.
  configure({ memory: memory + OVERHEAD / 4 })
  const sources = await openSources(files, memory * SOURCES)
  try {
    const evaluation = new Evaluation({ expression, root, sources, rule, dtype: options.dtype })
    const { dtype, shape } = evaluation
    const shown = options.output === undefined ? new ShownElements(dtype, shape) : undefined
    const canBeTurned = options.output !== undefined && ordersOf(options.output).includes(evaluation.order)
    const order = canBeTurned ? evaluation.order : 'row-major'
    const sink = shown ?? (await openSink(options.output!, { dtype, shape, order }))
    const isQuiet = options.quiet === true
    const progress = new Progress(isQuiet ? undefined : process.stderr, evaluation.bytes)
    const start = performance.now()
    try {
      await evaluation.run(sink, memory * (1 - SOURCES), (share) => progress.update(share), order)
      await sink.finish()
    } catch (error) {
      await sink.abort()
      throw error
    } finally {
      progress.end()
    }
    if (shown !== undefined) process.stdout.write(`${shown}\n`)
    else if (!isQuiet) {
      const milliseconds = performance.now() - start
      const done = doneText({ output: options.output!, dtype, shape, bytes: evaluation.bytes, milliseconds })
      process.stderr.write(visible(`${done}\n`))
    }
  } finally {
    for (const source of sources.values()) await source.close()
  }
}

const LANGUAGE = `
An expression is made of names (given as NAME=FILE), numbers, parentheses and, loosest first:
  or ||   xor   and &&   not   < <= == != >= >   |   ^   &   << >>   + -   * / // %   - ~ !   **
  cast(x, int8) or int8(x), and the functions below
A number takes the type of the array beside it. Integers divide toward zero; // rounds down.

Functions:
${functionsText()}

${FORMS}
`

const examples = [
  {
    line: "bcast eval '(x - m) / s * g + b' x=x.npy m=m.npy s=s.npy g=g.npy b=b.npy -o y.npy",
    shows: 'one kernel, one pass over the files',
  },
  { line: "bcast eval 'where(x > 0, x, 0.1 * x)' x=x.npy", shows: 'without -o the result is printed' },
  { line: "bcast eval 'x + c' x=x.npy c=c.npy --rule pdpd --axis 0", shows: 'another rule, for every operator' },
  {
    line: "bcast eval 'x * 255' x=x.npy --dtype uint8 --memory 256MiB -o y.npy",
    shows: 'in another type, in little memory',
  },
  { line: "bcast eval '2 ** 0.5'", shows: 'numbers alone' },
  {
    line: "bcast eval '(x - m) / s' x=x.npy m=m.npy s=s.npy --chunks 2,2 -o y.zarr",
    shows: 'a Zarr array, chunk by chunk',
  },
]

export function evalCommand(): Command {
  const command = new Command('eval')
    .description('evaluate an expression over arrays in files, larger than memory or not')
    .argument('<expression>', "such as '(x - mean) / std'")
    .argument('[arrays...]', 'NAME=FILE for each name in the expression')
    .addOption(outputOption('where the result goes; it is printed otherwise'))
    .addOption(choiceOption('--dtype <type>', 'the type of the result', storedDTypes))
    .addOption(
      new Option('--memory <size>', 'the most memory to take, such as 256MiB')
        .argParser(parseMemorySize)
        .default(parseMemorySize(MEMORY), MEMORY),
    )
    .option('--chunks <sizes>', 'of a Zarr result: those of the largest array unless said', sizesFrom('--chunks'))
    .option('--shards <sizes>', 'of a Zarr result: many chunks in one object', sizesFrom('--shards'))
    .option('--codec <name[:level]>', 'of a Zarr result: zstd unless said, gzip, blosc or none', parseCodec)
    .option('--threads <n>', 'for a Zarr result: as many as there are cores unless said', parseThreads)
    .option('--plan', 'for a Zarr result: say what would be done, and do nothing')
    .option('--resume', 'for a Zarr result: go on where an evaluation that was stopped left off')
    .option('--workers <queue>', 'for a Zarr result: have workers compute it, see bcast worker', parseQueueUrl)
    .addOption(engineOption())
    .option('--quiet', 'no progress bar, and no word of what was written')
    .addHelpText('after', `${LANGUAGE}${examplesText(examples)}`)
    .action(async (expression: string, arrays: readonly string[], options: Options) => {
      const rule = ruleFor(options)
      if (rule.name === 'matmulBatch') {
        throw new UsageError('rule matmulBatch brings stacks of matrices together, not elements; it goes with explain.')
      }
      try {
        // Unless a rule is asked for, each operator has its own: prelu's slope goes onto x and never enlarges it.
        await evaluate(expression, arrays, options, options.rule === undefined ? undefined : rule)
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error
        process.stderr.write(visible(`bcast: ${error.message}\n`))
        process.exitCode = 1
      }
    })
  return addRuleOptions(command)
}
