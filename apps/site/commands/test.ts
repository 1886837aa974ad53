// `npm run site:test`: builds the page and opens it in Chromium, as people would.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildSite } from '../build/build.ts'

const USAGE = `usage: npm run site:test -- [VITEST OPTION…]

Builds the page into apps/site/dist and runs apps/site/e2e in Chromium; without one they are skipped, with the reason.

  --help  prints this`

const args = process.argv.slice(2)
if (args.includes('--help')) console.log(USAGE)
else {
  console.log(await buildSite())
  const config = fileURLToPath(new URL('../e2e/vitest.config.ts', import.meta.url))
  const vitest = ['--no', '--', 'vitest', 'run', '--config', config, ...args]
  process.exitCode = spawnSync('npx', vitest, { stdio: 'inherit', shell: process.platform === 'win32' }).status ?? 1
}
