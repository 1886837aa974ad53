// `bcast completion bash|zsh|fish`: a script for the shell, made from the commands and options themselves.
import { Argument, Command } from 'commander'
import { suggestion } from '../errors/nearest.ts'
import { UsageError } from '../errors/usage-error.ts'
import { type CompletionCommand, completionScripts, type Shell } from '../help/completion-scripts.ts'
import { examplesText } from '../help/examples.ts'

const shells = Object.keys(completionScripts) as Shell[]

const examples = [
  { line: 'source <(bcast completion bash)', shows: 'for this shell; put the line into ~/.bashrc to keep it' },
  { line: 'bcast completion zsh > _bcast', shows: 'for zsh: a file of this name in a folder of $fpath' },
  { line: 'bcast completion fish > bcast.fish', shows: 'for fish: a file in ~/.config/fish/completions' },
]

function isShell(text: string): text is Shell {
  return shells.includes(text as Shell)
}

/** `commands` are all commands of the program, this one included. */
export function completionCommand(commands: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(
      new Argument('<shell>', 'the shell').choices(shells).argParser((text: string) => {
        if (isShell(text)) return text
        throw new UsageError(`${JSON.stringify(text)} is no shell that bcast completes in. ${suggestion(text, shells)}`)
      }),
    )
    .addHelpText('after', examplesText(examples))
    .action(async (shell: Shell) => {
      const described = (await commands()).map(describe)
      process.stdout.write(completionScripts[shell]([...described, helpFor(described)]))
    })
}

function describe(command: Command): CompletionCommand {
  return {
    name: command.name(),
    description: command.description(),
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    options: [
      ...command.options.map(({ short, long, description, required, argChoices, flags }) => ({
        ...(short === undefined ? {} : { short }),
        long: long!,
        description,
        takesValue: required,
        values: argChoices ?? [],
        // As <name|file> says it.
        takesFile: required && (argChoices === undefined || /\bfile\b/.test(flags)),
      })),
      { short: '-h', long: '--help', description: 'show help', takesValue: false, values: [], takesFile: false },
    ],
  }
}

/** `bcast help COMMAND`, which commander adds. */
const helpFor = (commands: readonly CompletionCommand[]): CompletionCommand => ({
  ...{ name: 'help', description: 'show help for a command', words: commands.map(({ name }) => name), options: [] },
})
