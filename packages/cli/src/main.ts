#!/usr/bin/env node
// `bcast`: results on stdout, everything else on stderr; exit 0 fine, 1 understood and found wanting, 2 a bad call.
import { BcastError } from 'bcast'
import { Command, CommanderError } from 'commander'
import { diffCommand } from './commands/diff.ts'
import { explainCommand } from './explain.ts'
import { tour } from './tour.ts'
import { UsageError } from './usage-error.ts'

const BAD_CALL = 2

const program = new Command('bcast')
  .description('How tensors of different shapes meet: explained, exact. Without arguments: a short tour.')
  .exitOverride()
  .configureOutput({ writeErr: (text) => process.stderr.write(text) })
  .addCommand(explainCommand())
  .addCommand(diffCommand())
for (const command of program.commands) command.exitOverride()

try {
  // A root action would take a misspelt command for its argument, so the tour is no command.
  if (process.argv.length === 2) process.stdout.write(tour())
  else await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : BAD_CALL
  else if (error instanceof UsageError || error instanceof BcastError) {
    process.stderr.write(`bcast: ${error.message}\n`)
    process.exitCode = BAD_CALL
  } else throw error
}
