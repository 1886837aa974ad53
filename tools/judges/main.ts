// `npm run judges`: thousands of random cases, answered by bcast and by every engine that this machine has or can
// install aside. Every disagreement needs a known cause; one that has none fails the command.
import { commandLine } from '../command-line/command-line.ts'
import { engines } from './engines.ts'
import { EXPRESSIONS } from './expressions/judge.ts'
import { GRADIENTS } from './gradients/judge.ts'
import { folder } from './install.ts'
import { judge } from './judge.ts'

const names = [...engines.map(({ name }) => name), GRADIENTS, EXPRESSIONS]

const USAGE = `usage: npm run judges -- [engine…] [--cases N] [--seed N] [--write] [--clean]

  engine…    ask these only; all by default:
             ${names.join(' ')}
  --cases N  random cases besides the ones written by hand (6000)
  --seed N   where they start (1)
  --write    regenerate docs/disagreements.md
  --clean    remove the installed engines (${folder})
  --help     prints this`

const { values, words, whole, refuse } = commandLine(
  USAGE,
  {
    cases: { type: 'string', default: '6000' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
    clean: { type: 'boolean', default: false },
  },
  true,
)
const unknown = words.find((name) => !names.includes(name))
if (unknown !== undefined) refuse(`there is no engine ${unknown}`)
process.exitCode = await judge({
  names: words,
  write: values.write,
  clean: values.clean,
  cases: whole('cases', values.cases),
  seed: whole('seed', values.seed),
})
