// `npm run fuzz -- onnx|npy|npz|zarr|expression|kernels [--count N] [--seed S]`: damaged files and texts, and kernels of machine
// code, by the thousand; exits with 1 when one breaks anything.
import { commandLine } from '../command-line/command-line.ts'
import { fuzz, type Worker } from './command.ts'

const workers: Readonly<Record<string, Worker>> = {
  onnx: { program: new URL('./onnx/worker.ts', import.meta.url), args: [] },
  npy: { program: new URL('./files/worker.ts', import.meta.url), args: ['npy'] },
  npz: { program: new URL('./files/worker.ts', import.meta.url), args: ['npz'] },
  zarr: { program: new URL('./zarr/worker.ts', import.meta.url), args: [] },
  expression: { program: new URL('./expression/worker.ts', import.meta.url), args: [] },
  kernels: { program: new URL('./kernels/worker.ts', import.meta.url), args: [] },
}

const USAGE = `usage: npm run fuzz -- ${Object.keys(workers).join('|')} [--count N] [--seed S]

Reads damaged files and texts by the thousand: each is read, or refused with an error that says why. Runs kernels of machine
code by the thousand: each gives what the interpreter gives, and touches nothing beyond its operands.

  --count N  how many (100000)
  --seed S   where they start (1)
  --help     prints this`

const { values, words, whole, refuse } = commandLine(
  USAGE,
  {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
  true,
)
const [count, seed] = [whole('count', values.count, 1), whole('seed', values.seed)]
const worker =
  words.length === 1 && Object.hasOwn(workers, words[0]!)
    ? workers[words[0]!]!
    : refuse(`what to read is one of ${Object.keys(workers).join(', ')}, not "${words.join(' ')}"`)

const start = performance.now()
const report = await fuzz(worker, seed, count, (done) => process.stderr.write(`\r${done} of ${count}`))
process.stderr.write('\n')
for (const failure of report.failures) console.log(`FAILED ${failure}`)
for (const slow of report.slow) console.log(`slow ${slow}`)
for (const [code, n] of Object.entries(report.codes)) console.log(`${code}: ${n}`)
if (report.memory.most > 0)
  console.log(
    `memory beside the file: at most ${(report.memory.most / 2 ** 20).toFixed(1)} MiB, ` +
      `${report.memory.ratio.toFixed(1)} times the file where it has 1 MiB or more`,
  )
console.log(`resident at most ${Math.round(report.memory.resident / 2 ** 20)} MiB`)
console.log(`${count} inputs in ${Math.round((performance.now() - start) / 1000)} s, ${report.failures.length} failed`)
process.exitCode = report.failures.length === 0 ? 0 : 1
