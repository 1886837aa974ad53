// `npm run fuzz -- onnx|expression [--count N] [--seed S]`: damaged models, or expressions, by the thousand; exits with 1
// when one breaks anything.
import { parseArgs } from 'node:util'

interface Report {
  readonly failures: readonly string[]
  /** What else there is to say. */
  readonly lines: readonly string[]
}

type Target = (seed: number, count: number, progress: (done: number) => void) => Promise<Report>

const targets: Readonly<Record<string, Target>> = {
  onnx: async (seed, count, progress) => {
    const { fuzzOnnx } = await import('./onnx/command.ts')
    const { failures, slow, codes, memory } = await fuzzOnnx(seed, count, progress)
    const memoryLine =
      `memory beside the file: at most ${(memory.most / 2 ** 20).toFixed(1)} MiB, ` +
      `${memory.ratio.toFixed(1)} times the file where it has 1 MiB or more`
    return {
      failures,
      lines: [
        ...slow.map((one) => `slow ${one}`),
        ...Object.entries(codes).map(([code, n]) => `${code}: ${n}`),
        memoryLine,
      ],
    }
  },
  expression: async (seed, count, progress) => {
    const { fuzzExpressions } = await import('./expression/command.ts')
    const { failures, outcomes } = fuzzExpressions(seed, count, progress)
    return { failures, lines: Object.entries(outcomes).map(([outcome, n]) => `${outcome}: ${n}`) }
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const [count, seed] = [Number(values.count), Number(values.seed)]
const fuzz = Object.hasOwn(targets, positionals.join()) ? targets[positionals.join()] : undefined
if (fuzz === undefined || !Number.isInteger(count) || count < 1 || !Number.isInteger(seed)) {
  console.error(`usage: npm run fuzz -- ${Object.keys(targets).join('|')} [--count N] [--seed S]`)
  process.exit(2)
}

const start = performance.now()
const { failures, lines } = await fuzz(seed, count, (done) => process.stderr.write(`\r${done} of ${count}`))
process.stderr.write('\n')
for (const failure of failures) console.log(`FAILED ${failure}`)
for (const line of lines) console.log(line)
console.log(`${count} inputs in ${Math.round((performance.now() - start) / 1000)} s, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
