#!/usr/bin/env node
// `bcast`: results on stdout, everything else on stderr. A command sets exit code 1 when its input was understood and
// found wanting; every error ends here and becomes 1 if it says so, 2 for a bad call or input, 70 for a defect of bcast.
import { Command, CommanderError } from 'commander'
import { asFileError } from './errors/file-error.ts'
import { UsageError } from './errors/usage-error.ts'
import { version } from './terminal/version.ts'
import { visible } from './terminal/visible.ts'

/** Every command by its name. Its module is loaded when it is chosen, so that none pays for the others. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  explain: async () => (await import('./commands/explain.ts')).explainCommand(),
  check: async () => (await import('./commands/check.ts')).checkCommand(),
  explicit: async () => (await import('./commands/explicit.ts')).explicitCommand(),
  census: async () => (await import('./commands/census.ts')).censusCommand(),
  run: async () => (await import('./commands/run.ts')).runCommand(),
  eval: async () => (await import('./commands/eval.ts')).evalCommand(),
  worker: async () => (await import('./commands/worker.ts')).workerCommand(),
  diff: async () => (await import('./commands/diff.ts')).diffCommand(),
  zarr: async () => (await import('./commands/zarr.ts')).zarrCommand(),
  bench: async () => (await import('./commands/bench.ts')).benchCommand(),
  playground: async () => (await import('./commands/playground.ts')).playgroundCommand(),
  completion: async () => (await import('./commands/completion.ts')).completionCommand(allCommands),
}

const allCommands = (): Promise<Command[]> => Promise.all(Object.values(commands).map((load) => load()))

const BAD_CALL = 2
const EXIT_CODES = `
Results go to stdout, everything else to stderr. Exit code 0: fine, also when it holds under a condition, which is
said; 1: understood and found wanting; 2: a bad call or input.

Examples:
  # a short tour
  bcast
  # help for a command, with examples
  bcast explain --help`

/** An expression or a size may begin with a minus. */
const BEHIND = "(What begins with - and is no option stands behind --. Such as: bcast eval -- '-x' x=x.npy)"

function complaint(text: string, chosen: string): string {
  const named = visible(text.replace(/^error: /, 'bcast: '))
  if (named.includes('Did you mean')) return named
  if (/^bcast: unknown option '-[^-]/.test(named)) return `${named}${BEHIND}\n`
  return `${named}(See bcast ${Object.hasOwn(commands, chosen) ? `${chosen} ` : ''}--help.)\n`
}

/** Without it commander would answer with all of the help, and no word of what is wrong. */
function meant(words: readonly string[]): readonly string[] {
  const [chosen, topic] = words
  if (chosen === '--' && topic === undefined) throw new UsageError('no command stands behind --. See bcast --help.')
  // What is no command is answered as if it had been called.
  const isUnknown = chosen === 'help' && topic !== undefined && !Object.hasOwn(commands, topic)
  return isUnknown ? [topic] : words
}

/** What `bcast --version` prints; the first word is the version. */
async function versionText(): Promise<string> {
  const { startEngine } = await import('./engine/engine.ts')
  return `${version()} with ${await startEngine()}`
}

async function bcast(chosen: string): Promise<Command> {
  const asksVersion = chosen === '--version' || chosen === '-V'
  const program = new Command('bcast')
    .description('How tensors of different shapes meet: explained, exact, fast. Without arguments: a short tour.')
    .version(asksVersion ? await versionText() : version(), '-V, --version', 'the version, and what computes')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(complaint(text, chosen)) })
  if (asksVersion) return program
  // Help lists all commands, and so does the search for one that is misspelt.
  const needed = Object.hasOwn(commands, chosen) ? [await commands[chosen]!()] : await allCommands()
  for (const command of needed) program.addCommand(command.copyInheritedSettings(program))
  return program
}

/** Says on stderr what went wrong, and sets the exit code. */
async function fail(error: unknown): Promise<void> {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : BAD_CALL
    return
  }
  const { describeFailure } = await import('./errors/failure.ts')
  const { text, exitCode } = await describeFailure(error)
  process.stderr.write(text)
  process.exitCode = exitCode
}

process.on('uncaughtException', (error) => void fail(error).finally(() => process.exit()))
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads has seen enough, as in `| head`.
  if (error.code === 'EPIPE') process.exit()
  throw asFileError('stdout', error)
})
// Nobody can be told what cannot be said; results are not concerned.
process.stderr.on('error', () => {})

try {
  const words = meant(process.argv.slice(2))
  const [chosen] = words
  // A root action would take a misspelt command for its argument, so the tour is no command.
  if (chosen === undefined) process.stdout.write((await import('./help/tour.ts')).tour())
  else await (await bcast(chosen)).parseAsync(words, { from: 'user' })
} catch (error) {
  await fail(error)
}
