// `npm run kills -- [--count N] [--seed S]`: evaluations killed at random moments; exits with 1 when one leaves half a file.
import { commandLine } from '../command-line/command-line.ts'
import { killRepeatedly } from './kills.ts'

const USAGE = `usage: npm run kills -- [--count N] [--seed S]

Kills bcast eval at random moments while it writes, and looks at what is left of its output.

  --count N  how often (100)
  --seed S   which moments (1)
  --help     prints this`

const { values, whole } = commandLine(USAGE, {
  count: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
})
const [count, seed] = [whole('count', values.count, 1), whole('seed', values.seed)]
const {
  absent,
  old,
  whole: complete,
  broken,
} = await killRepeatedly(count, 2 ** 28, seed, (done) => process.stderr.write(`\r${done} of ${count}`))
process.stderr.write('\n')
for (const line of broken) console.log(`FAILED ${line}`)
console.log(
  `${count} killed while they wrote; output absent ${absent}, old ${old}, whole ${complete}, broken ${broken.length}`,
)
process.exitCode = broken.length === 0 ? 0 : 1
