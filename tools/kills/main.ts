// `npm run kills -- [--count N] [--seed S]`: evaluations killed at random moments; exits with 1 when one leaves half a file.
import { parseArgs } from 'node:util'
import { killRepeatedly } from './kills.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } },
})
const [count, seed] = [Number(values.count), Number(values.seed)]
if (!Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  console.error('usage: npm run kills -- [--count N] [--seed S]')
  process.exit(2)
}
const { absent, old, whole, broken } = await killRepeatedly(count, 2 ** 28, seed, (done) =>
  process.stderr.write(`\r${done} of ${count}`),
)
process.stderr.write('\n')
for (const line of broken) console.log(`FAILED ${line}`)
console.log(
  `${count} killed while they wrote; output absent ${absent}, old ${old}, whole ${whole}, broken ${broken.length}`,
)
process.exitCode = broken.length === 0 ? 0 : 1
