// `npm run fuzz -- onnx [--count N] [--seed S]`: damaged models by the thousand; exits with 1 when one breaks anything.
import { parseArgs } from 'node:util'
import { fuzzOnnx } from './onnx/command.ts'

const USAGE = 'usage: npm run fuzz -- onnx [--count N] [--seed S]'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const [count, seed] = [Number(values.count), Number(values.seed)]
if (positionals.join() !== 'onnx' || !Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  console.error(USAGE)
  process.exit(2)
}

const start = performance.now()
const report = await fuzzOnnx(seed, count, (done) => process.stderr.write(`\r${done} of ${count}`))
process.stderr.write('\n')
for (const failure of report.failures) console.log(`FAILED ${failure}`)
for (const slow of report.slow) console.log(`slow ${slow}`)
for (const [code, n] of Object.entries(report.codes)) console.log(`${code}: ${n}`)
console.log(
  `memory: at most ${report.memory.ratio.toFixed(1)} times the file (files from 1 MiB on), ` +
    `${(report.memory.small / 2 ** 20).toFixed(1)} MiB (smaller ones)`,
)
console.log(`${count} inputs in ${Math.round((performance.now() - start) / 1000)} s, ${report.failures.length} failed`)
process.exitCode = report.failures.length === 0 ? 0 : 1
