// `npm run test:random -- [--minutes M] [--seed S]`: the property tests with seeds that nobody chose; exits with 1 when
// one fails, and with 2 when the call is bad.
import { randomInt } from 'node:crypto'
import path from 'node:path'
import { readArguments, USAGE } from './arguments.ts'
import { propertyTests } from './property-tests.ts'
import { repeat } from './repeat.ts'
import { runTests } from './run-tests.ts'

function* freshSeeds(): Generator<number> {
  for (;;) yield randomInt(2 ** 31)
}

async function main(args: readonly string[]): Promise<number> {
  const wanted = readArguments(args)
  if (wanted.kind === 'help') {
    console.log(USAGE)
    return 0
  }
  if (wanted.kind === 'wrong') {
    console.error(`${wanted.message}\n\n${USAGE}`)
    return 2
  }
  const files = propertyTests(path.resolve(import.meta.dirname, '../..'), ['packages', 'tools', 'testing'])
  console.log(`${files.length} test files have random cases`)
  const { seed, minutes } = wanted
  return repeat({
    seeds: seed === undefined ? freshSeeds() : [seed],
    limit: minutes * 60_000,
    run: (each, milliseconds) => runTests({ files, seed: each, milliseconds, bail: seed === undefined }),
    say: (text) => console.log(text),
  })
}

process.exitCode = await main(process.argv.slice(2))
