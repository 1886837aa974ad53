// `npm run judges`: thousands of random cases, answered by bcast and by every engine that this machine has or can
// install aside. Every disagreement needs a known cause; one that has none fails the command.
import { parseArgs } from 'node:util'
import { engines } from './engines.ts'
import { folder } from './install.ts'
import { judge, type Settings } from './judge.ts'

const USAGE = `npm run judges -- [engine…] [--cases N] [--seed N] [--write] [--clean]

  engine…    ask these only; all by default:
             ${engines.map(({ name }) => name).join(' ')}
  --cases N  random cases besides the ones written by hand (6000)
  --seed N   where they start (1)
  --write    regenerate docs/disagreements.md
  --clean    remove the installed engines (${folder})`

const whole = (text: string): number => {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${text} is not a whole number`)
  return value
}

/** A command line that means nothing. */
function usage(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error))
  console.error(USAGE)
  process.exit(2)
}

function settingsOf(): Settings | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        cases: { type: 'string', default: '6000' },
        seed: { type: 'string', default: '1' },
        write: { type: 'boolean', default: false },
        clean: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const unknown = positionals.find((name) => !engines.some((engine) => engine.name === name))
    if (unknown !== undefined) throw new Error(`there is no engine ${unknown}`)
    if (values.help) return undefined
    return { ...values, names: positionals, cases: whole(values.cases), seed: whole(values.seed) }
  } catch (error) {
    return usage(error)
  }
}

const settings = settingsOf()
if (settings === undefined) console.log(USAGE)
else process.exitCode = await judge(settings)
