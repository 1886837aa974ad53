// `bcast diff a.npy b.npy`: do two arrays hold the same elements, and where do they not?
import type { Command } from 'commander'
import { ArraysCommand } from '../arguments/arrays-command.ts'
import { diffFiles } from '../diff/diff.ts'
import type { Steps } from '../diff/distance.ts'
import { diffJson, diffText } from '../diff/report.ts'
import { UsageError } from '../errors/usage-error.ts'
import { FORMS } from '../files/place.ts'
import { visible } from '../terminal/visible.ts'

interface Options {
  readonly ulp: Steps
  readonly rtol: number
  readonly atol: number
  readonly show: Steps
  readonly nanDiffers?: boolean
  readonly json?: boolean
}

const tolerance =
  (option: string) =>
  (text: string): number => {
    const value = text.trim() === '' ? NaN : Number(text)
    if (value >= 0) return value
    throw new UsageError(`${option} is ${JSON.stringify(text)}; it is a number that is not negative, such as 1e-6.`)
  }

const whole =
  (option: string) =>
  (text: string): Steps => {
    if (/^\d+$/.test(text)) return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
    throw new UsageError(`${option} is ${JSON.stringify(text)}; it is a whole number, such as 2.`)
  }

const HELP = `
Elements pass that are equal, or at most --ulp apart, or within atol + rtol * |b|. NaN equals NaN, and -0 equals +0.
${FORMS}

Examples:
  # where two arrays differ, and by how much (exit 1)
  bcast diff m.npy s.npy
  # they may differ a little
  bcast diff m.npy s.npy --rtol 1e-6 --atol 1
  # for programs
  bcast diff x.npy x.npy --json`

export function diffCommand(): Command {
  return new ArraysCommand('diff')
    .description('compare two arrays in files; exits with 1 when they differ')
    .argument('<a>', 'a file')
    .argument('<b>', 'another, the reference of relative differences')
    .option('--ulp <n>', 'let elements pass that are at most so many floats apart', whole('--ulp'), 0)
    .option('--rtol <r>', 'let |a - b| pass up to atol + rtol * |b|', tolerance('--rtol'), 0)
    .option('--atol <a>', 'see --rtol', tolerance('--atol'), 0)
    .option('--nan-differs', 'NaN differs from NaN; otherwise all NaN are equal')
    .option('--show <n>', 'how many of the first differences to list', whole('--show'), 5)
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', HELP)
    .action(async (a: string, b: string, { nanDiffers = false, json, show, ...limits }: Options) => {
      const allowed = { ulp: limits.ulp, rtol: limits.rtol, atol: limits.atol, nanDiffers }
      const diff = await diffFiles(a, b, allowed, Number(show))
      process.stdout.write(`${json ? diffJson(diff) : visible(diffText(diff, allowed))}\n`)
      if (!diff.equal) process.exitCode = 1
    })
}
